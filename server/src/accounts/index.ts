/**
 * People, organizations and how people sign in. It does not know projects: what someone may do inside one belongs to
 * `projects`.
 */
export {
  addOrganization,
  addUser,
  checkedName,
  loadOrganizationByName,
  loadUserByEmail,
  type Organization,
  type User,
} from './actions.ts'

/** better-auth is large, so it is loaded when someone signs in and not with every start. */
export const loadSignIn = () => import('./sign-in.ts')
