export { createClient, type KeyClient, type KeyOptions, type SessionClient, Slipway } from './client.ts'
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
export type { EventKind, EventPayloads, SlipwayEvent } from './events.ts'
export type { Call, Download, FollowOptions, Meta, Options, Schemas, UploadProgress } from './operation.ts'
export { items, pages } from './pages.ts'
export { createReporter, type Report, type Reporter, type ReporterOptions, type ReportFile } from './reporter.ts'
export type * from './resources/access.ts'
export type * from './resources/account.ts'
export type * from './resources/artifacts.ts'
export type * from './resources/automations.ts'
export type * from './resources/blueprints.ts'
export type * from './resources/changes.ts'
export type * from './resources/code-hosts.ts'
export type * from './resources/connections.ts'
export type * from './resources/conversations.ts'
export type * from './resources/feedback.ts'
export type * from './resources/integrations.ts'
export type * from './resources/projects.ts'
export type * from './resources/requirements.ts'
export type * from './resources/search.ts'
export type * from './resources/session.ts'
export type * from './resources/transfers.ts'
export type * from './resources/users.ts'
export type * from './resources/webhooks.ts'
export type * from './resources/work-orders.ts'
export { type ClientOptions, openSession, type SessionOptions } from './session.ts'
