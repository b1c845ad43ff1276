/** People, organizations and sign-in. It does not know projects: `projects` decides what someone may do in one. */
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
export { listSessionsThatLast } from './queries.ts'

/** better-auth is large, so it is loaded at the first sign-in rather than at every start. */
export const loadSignIn = () => import('./sign-in.ts')
