import { inTransaction } from '../kernel/database/index.ts'
import { endSessions, loadOrganizationByName, loadUserByEmail } from '../product/accounts/index.ts'
import {
  addMember,
  addProject,
  deleteProject,
  listMemberRoles,
  listProjects,
  loadProject,
  PROJECT_ROLES,
  type Project,
  removeMember,
} from '../product/projects/index.ts'
import { type Command, projectCtx } from './command.ts'

export const projectCommands: Record<string, Command> = {
  'project add': {
    usage: '--name NAME [--organization NAME]',
    flags: { name: 'text', organization: 'text' },
    async run({ sql, wiring, log }, flags) {
      const organization = await loadOrganizationByName(sql, flags.optional('organization'))
      return presentProject(
        await addProject({ db: sql, wiring, log }, { name: flags.text('name'), organizationId: organization.id }),
      )
    },
  },
  'project list': {
    usage: '',
    flags: {},
    run: async ({ sql }) =>
      (await listProjects(sql)).map((one) => ({ ...presentProject(one), organization: one.organization })),
  },
  'project delete': {
    usage: '--project NAME_OR_ID --confirm NAME',
    flags: { project: 'text', confirm: 'text' },
    async run(tools, flags) {
      const ctx = await projectCtx(tools, flags)
      await deleteProject(ctx, flags.text('confirm'))
      return { id: ctx.actor.projectId, deleted: true }
    },
  },
  'member add': {
    usage: '--project NAME_OR_ID --email ADDRESS --role admin|editor|viewer',
    flags: { project: 'text', email: 'text', role: 'text' },
    async run(tools, flags) {
      const role = flags.oneOf('role', PROJECT_ROLES)
      const ctx = await projectCtx(tools, flags)
      const user = await loadUserByEmail(tools.sql, flags.text('email'))
      await addMember(ctx, user.id, role)
      return { ...user, project_id: ctx.actor.projectId, role }
    },
  },
  'member list': {
    usage: '--project NAME_OR_ID',
    flags: { project: 'text' },
    async run({ sql }, flags) {
      const project = await loadProject(sql, flags.text('project'))
      return [...(await listMemberRoles(sql, project.id))]
    },
  },
  'member remove': {
    usage: '--project NAME_OR_ID --email ADDRESS',
    flags: { project: 'text', email: 'text' },
    async run(tools, flags) {
      const ctx = await projectCtx(tools, flags)
      const user = await loadUserByEmail(tools.sql, flags.text('email'))
      return inTransaction(ctx, async (ctx) => {
        const { revokedKeys } = await removeMember(ctx, user)
        const ended = await endSessions(ctx, user.id)
        return { ...user, project_id: ctx.actor.projectId, keys_revoked: revokedKeys, sessions_ended: ended }
      })
    },
  },
}

const presentProject = ({ id, name, organizationId }: Project) => ({ id, name, organization_id: organizationId })
