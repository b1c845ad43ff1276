import { endSessions, loadOrganizationByName, loadUserByEmail } from '../accounts/index.ts'
import type { ProjectRole } from '../kernel/context.ts'
import { inTransaction } from '../kernel/database/index.ts'
import {
  addMember,
  addProject,
  listMemberRoles,
  listProjects,
  loadProject,
  type Project,
  removeMember,
} from '../projects/index.ts'
import type { Command } from './command.ts'

const PROJECT_ROLES: readonly ProjectRole[] = ['admin', 'editor', 'viewer']

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
  'member add': {
    usage: '--project NAME_OR_ID --email ADDRESS --role admin|editor|viewer',
    flags: { project: 'text', email: 'text', role: 'text' },
    async run({ sql }, flags) {
      const role = flags.oneOf('role', PROJECT_ROLES)
      const project = await loadProject(sql, flags.text('project'))
      const user = await loadUserByEmail(sql, flags.text('email'))
      await addMember(sql, project, user.id, role)
      return { ...user, project_id: project.id, role }
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
    async run({ sql }, flags) {
      const project = await loadProject(sql, flags.text('project'))
      const user = await loadUserByEmail(sql, flags.text('email'))
      return inTransaction({ db: sql }, async ({ db }) => {
        const { revokedKeys } = await removeMember(db, project, user)
        const ended = await endSessions(db, user.id)
        return { ...user, project_id: project.id, keys_revoked: revokedKeys, sessions_ended: ended }
      })
    },
  },
}

const presentProject = ({ id, name, organizationId }: Project) => ({ id, name, organization_id: organizationId })
