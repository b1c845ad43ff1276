/** People, organizations and sign-in. It does not know projects: `projects` decides what someone may do in one. */
export type { Organization, User } from './account.ts'
export {
  addOrganization,
  addUser,
  checkedAddress,
  checkedName,
  joinOrganization,
  listOrganizations,
  listUsers,
  loadOrganizationByName,
  loadUserByEmail,
  renameUser,
} from './actions.ts'
export { guessableBecause } from './guessable.ts'
export { type OidcSettings, readOidc } from './oidc-settings.ts'
export { organizationOperator } from './operator.ts'
export { changePassword, checkedPassword, hashOf, hasPassword, isPasswordOf, resetPassword } from './passwords.ts'
export { findColleagues, findUserByEmail, hasSingleSignOn, insertNames, isAddressVouched } from './queries.ts'
export { listSessionsOf, listSessionsThatLast, touchSession } from './session-queries.ts'
export { endSession, endSessions } from './sessions.ts'

export type { Identity } from './single-sign-on.ts'

/** better-auth is large, so it is loaded at the first sign-in rather than at every start. */
export const loadSignIn = () => import('./sign-in.ts')
export const loadSingleSignOn = async () => ({
  ...(await import('./single-sign-on.ts')),
  CLIENT_ADDRESS_HEADER: (await import('./sign-in.ts')).CLIENT_ADDRESS_HEADER,
})
