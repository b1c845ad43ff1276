import * as op from '../generated/operations/users.ts'
import type { Call, Options, Query, Schemas } from '../operation.ts'

export type User = Schemas['User']

export const users = (call: Call) => ({
  /** List the members of the project. */
  list: (query: Query<'listUsers'> = {}, options?: Options) => call(op.listUsers, { query }, options),
})
