import type { Slice } from '../../kernel/slice.ts'
import { registerInvitationRoutes, registerProjectRoutes } from './app-api.ts'
import { forgetOldCalls } from './calls/call-queries.ts'
import { registerDeletionRoutes } from './deletion/app-api.ts'
import { REMOVE_DELETED, removeDeletedProjects } from './deletion/removal.ts'
import { invitationEvents, keyEvents, memberEvents, projectEvents } from './events.ts'
import { registerUserRoutes } from './external-api.ts'
import { registerKeyRoutes } from './key-app-api.ts'
import { projectTools } from './tools.ts'

/**
 * Projects, their members and roles, invite links, and the API keys that act for a member. It does not know what a project contains:
 * slices fill a new one through `onProjectCreated`.
 */
export const projects: Slice = {
  name: 'projects',
  events: [projectEvents, memberEvents, keyEvents, invitationEvents],
  externalApi: registerUserRoutes,
  appApi(face) {
    registerProjectRoutes(face)
    registerDeletionRoutes(face)
    registerInvitationRoutes(face)
    registerKeyRoutes(face)
  },
  tools: projectTools,
  // By the clock, too: a process that is killed cannot hand its job back.
  jobs: {
    [REMOVE_DELETED]: { cron: '*/5 * * * *', run: removeDeletedProjects },
    forget_old_calls: { cron: '57 3 * * *', catchUp: true, run: (_payload, { db }) => forgetOldCalls(db) },
  },
}

export { addProject, listProjects, loadProject } from './actions.ts'
export { createKeyring, type Keyring } from './authentication.ts'
export { type CallCounter, createCallCounter } from './calls/call-counter.ts'
export {
  adjustingLive,
  adjustLive,
  releaseNumbers,
  restartNumbers,
  returnNumbers,
  takeNumbers,
  takingNumbers,
} from './counter-queries.ts'
export { deleteProject } from './deletion/deletion.ts'
export { projectEvents } from './events.ts'
export {
  acceptInvitation,
  acceptInvitationAs,
  acceptInvitationsFor,
  addInvitation,
  loadInvitation,
  loadInvitationById,
} from './invitations/invitations.ts'
export { KEY_KINDS, type KeyKind, readOrigin } from './key.ts'
export { insertPastKeys, type KeyFilter, listKeys } from './key-queries.ts'
export { addKey, loadKey, loadKeyByName, revokeKey } from './keys.ts'
export { findMemberActor, memberCtx } from './member-actor.ts'
export { findMember, type MemberRef, membersByIdOrEmail } from './members.ts'
export { addMember, removeMember } from './membership.ts'
export { movedCounters } from './moved.ts'
export { type Acting, operatorCtx } from './operator.ts'
export { authorizeManagement, authorizeWrite, mayManage, mayWrite } from './policy.ts'
export { PROJECT_ROLES, type Project } from './project.ts'
export {
  findProject,
  listAdminIds,
  listMemberDetails,
  listMemberRoles,
  listProjectsOf,
  listRolesOf,
  lockProject,
  MEMBER_WORDS,
} from './queries.ts'
