import { loadUserByEmail } from '../product/accounts/index.ts'
import { addIntegration, listAllIntegrations, removeIntegration } from '../product/integrations/index.ts'
import { type Command, projectCtx } from './command.ts'

export const integrationCommands: Record<string, Command> = {
  'integration add': {
    usage: '--project NAME_OR_ID --email ADDRESS --name NAME (--url URL | --command NAME) [--token TOKEN]',
    flags: { project: 'text', email: 'text', name: 'text', url: 'text', command: 'text', token: 'text' },
    async run(tools, flags) {
      const ctx = await projectCtx(tools, flags)
      const owner = await loadUserByEmail(tools.sql, flags.text('email'))
      const { id, displayName } = await addIntegration(ctx, owner.id, {
        displayName: flags.text('name'),
        url: flags.optional('url'),
        commandName: flags.optional('command'),
        token: flags.optional('token') ?? process.env.INTEGRATION_TOKEN,
      })
      return { id, display_name: displayName, email: owner.email, project_id: ctx.actor.projectId }
    },
  },
  'integration list': {
    usage: '',
    flags: {},
    run: async ({ sql }) =>
      (await listAllIntegrations(sql)).map(({ displayName, commandName, ...one }) => ({
        ...one,
        display_name: displayName,
        command: commandName,
      })),
  },
  'integration remove': {
    usage: '--project NAME_OR_ID --id ID',
    flags: { project: 'text', id: 'text' },
    async run(tools, flags) {
      const ctx = await projectCtx(tools, flags)
      const { id, displayName } = await removeIntegration(ctx, null, flags.text('id'))
      return { id, display_name: displayName }
    },
  },
}
