import { addOrganization, addUser, loadOrganizationByName } from '../accounts/index.ts'
import type { Command } from './command.ts'

export const peopleCommands: Record<string, Command> = {
  'organization add': {
    usage: '--name NAME',
    flags: { name: 'text' },
    run: ({ sql }, flags) => addOrganization(sql, { name: flags.text('name') }),
  },
  'user add': {
    usage: '--email ADDRESS --name NAME [--organization NAME] [--super-admin]',
    flags: { email: 'text', name: 'text', organization: 'text', 'super-admin': 'switch' },
    async run({ sql }, flags) {
      const organization = await loadOrganizationByName(sql, flags.optional('organization'))
      const role = flags.given('super-admin') ? 'super_admin' : 'member'
      const user = await addUser(sql, {
        email: flags.text('email'),
        name: flags.text('name'),
        organizationId: organization.id,
        role,
      })
      return { ...user, organization_id: organization.id, organization_role: role }
    },
  },
}
