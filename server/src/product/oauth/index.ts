import type { Slice } from '../../kernel/slice.ts'
import { appEvents } from './events.ts'
import { endGrantsOf } from './grants.ts'
import { forgetExpired } from './queries.ts'

/**
 * OAuth 2.1 for programs that people connect by address alone: registrations, what people allowed, and the tokens. What a
 * token may do is decided by the rights of the person in the project.
 */
export const oauth: Slice = {
  name: 'oauth',
  events: [appEvents],
  during: { 'project_member.removed': (ctx, { subjectId }) => endGrantsOf(ctx, subjectId) },
  jobs: { forget_expired_tokens: { cron: '47 * * * *', run: (_payload, { db }) => forgetExpired(db) } },
}

export { type AppActor, appOf, findAppActor } from './app-actor.ts'
export { destinationOf, plainName } from './client.ts'
export { registerOAuth } from './endpoints.ts'
export { allowApp, endApp, removeApp } from './grants.ts'
export { challenge, type Resource, SCOPES } from './metadata.ts'
export { OAuthError } from './oauth-error.ts'
export { publicOrigin } from './origin.ts'
export { listConnectedApps } from './queries.ts'
export { readAuthorizationRequest } from './request.ts'
export { isAccessToken } from './token.ts'
