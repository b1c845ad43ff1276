export type * from './access.ts'
export type * from './account.ts'
export type * from './artifacts.ts'
export type * from './automations.ts'
export type * from './blueprints.ts'
export type * from './changes.ts'
export {
  type ClientOptions,
  createClient,
  type KeyClient,
  type KeyOptions,
  type SessionClient,
  type SessionOptions,
  Slipway,
} from './client.ts'
export type * from './code-hosts.ts'
export type * from './connections.ts'
export type * from './conversations.ts'
export {
  BadRequestError,
  ConflictError,
  type FieldError,
  ForbiddenError,
  GoneError,
  NoAnswerError,
  NotFoundError,
  PreconditionFailedError,
  RateLimitError,
  ServerError,
  SlipwayError,
  TooLargeError,
  UnauthorizedError,
  ValidationError,
} from './errors.ts'
export type * from './feedback.ts'
export type * from './integrations.ts'
export type { Download, FollowOptions, Meta, Options, Schemas, UploadProgress } from './operation.ts'
export { items, pages } from './pages.ts'
export type * from './projects.ts'
export type * from './requirements.ts'
export type * from './search.ts'
export type * from './session.ts'
export type * from './transfers.ts'
export type * from './users.ts'
export type * from './webhooks.ts'
export type * from './work-orders.ts'
