/**
 * People, organizations and how people sign in. It does not know projects: what someone may do inside one belongs to
 * `projects`.
 */
export type { Organization, User } from './account.ts'
export {
  addOrganization,
  addUser,
  checkedName,
  listOrganizations,
  listUsers,
  loadOrganizationByName,
  loadUserByEmail,
} from './actions.ts'
export { endSessions, resetPassword } from './passwords.ts'
export { joinOrganization } from './queries.ts'

/** better-auth is large, so it is loaded when someone signs in and not with every start. */
export const loadSignIn = () => import('./sign-in.ts')
