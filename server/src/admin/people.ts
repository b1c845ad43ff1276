import { randomBytes } from 'node:crypto'
import {
  addOrganization,
  addUser,
  endSessions,
  listOrganizations,
  listUsers,
  loadOrganizationByName,
  loadUserByEmail,
  organizationOperator,
  resetPassword,
} from '../product/accounts/index.ts'
import type { Command } from './command.ts'

export const peopleCommands: Record<string, Command> = {
  'organization add': {
    usage: '--name NAME',
    flags: { name: 'text' },
    run: ({ sql }, flags) => addOrganization(organizationOperator(sql), { name: flags.text('name') }),
  },
  'organization list': { usage: '', flags: {}, run: async ({ sql }) => [...(await listOrganizations(sql))] },
  'user add': {
    usage: '--email ADDRESS --name NAME [--organization NAME] [--super-admin]',
    flags: { email: 'text', name: 'text', organization: 'text', 'super-admin': 'switch' },
    async run({ sql }, flags) {
      const organization = await loadOrganizationByName(sql, flags.optional('organization'))
      const role = flags.given('super-admin') ? 'super_admin' : 'member'
      const user = await addUser(organizationOperator(sql), {
        email: flags.text('email'),
        name: flags.text('name'),
        organizationId: organization.id,
        role,
      })
      return { ...user, organization_id: organization.id, organization_role: role }
    },
  },
  'user list': {
    usage: '',
    flags: {},
    run: async ({ sql }) =>
      (await listUsers(sql)).map(({ hasPassword, ...user }) => ({ ...user, has_password: hasPassword })),
  },
  'user reset-password': {
    usage: '--email ADDRESS',
    flags: { email: 'text' },
    async run({ sql }, flags) {
      const user = await loadUserByEmail(sql, flags.text('email'))
      // Not a flag: other users of the machine can read the arguments of a process.
      const chosen = process.env.NEW_PASSWORD || undefined
      const password = chosen ?? randomBytes(12).toString('base64url')
      const ended = await resetPassword(organizationOperator(sql), user, password)
      return { ...user, ...(chosen === undefined && { password }), sessions_ended: ended }
    },
  },
  'user sign-out': {
    usage: '--email ADDRESS',
    flags: { email: 'text' },
    async run({ sql }, flags) {
      const user = await loadUserByEmail(sql, flags.text('email'))
      return { ...user, sessions_ended: await endSessions(organizationOperator(sql), user.id) }
    },
  },
}
