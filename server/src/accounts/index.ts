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
export { createSignIn, signInOptions } from './sign-in.ts'
