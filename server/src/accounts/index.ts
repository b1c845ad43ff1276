/**
 * People, organizations and how people sign in. It does not know projects: what someone may do inside one belongs to
 * `projects`.
 */
export type { Organization, User } from './account.ts'
export {
  addOrganization,
  addUser,
  checkedName,
  joinOrganization,
  listOrganizations,
  listUsers,
  loadOrganizationByName,
  loadUserByEmail,
} from './actions.ts'
export { organizationOperator } from './operator.ts'
export { endSessions, resetPassword } from './passwords.ts'

/** better-auth is large, so it is loaded when someone signs in and not with every start. */
export const loadSignIn = () => import('./sign-in.ts')
