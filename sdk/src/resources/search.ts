import type { Call, Options, Query, Schemas } from '../operation.ts'

export type Found = Schemas['Found']

export const search = (call: Call) => ({
  /** Find anything of the project by its words or its number. */
  everywhere: (query: Query<'findEverywhere'>, options?: Options) => call('findEverywhere', { query }, options),
})
