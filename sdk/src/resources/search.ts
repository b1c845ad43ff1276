import * as op from '../generated/operations/session.ts'
import type { Call, Options, Query, Result, Schemas } from '../operation.ts'

export type Found = Schemas['Found']

export type Counts = Omit<Result<'countEverything'>, 'meta'>

export const search = (call: Call) => ({
  /** Find anything of the project by its words or its number. */
  everywhere: (query: Query<'findEverywhere'>, options?: Options) => call(op.findEverywhere, { query }, options),
  /** Count what the project holds. */
  count: (options?: Options) => call(op.countEverything, {}, options),
})
