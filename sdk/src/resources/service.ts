import * as op from '../generated/operations/service.ts'
import type { Call, Options } from '../operation.ts'

export const service = (call: Call) => ({
  /** Say whether the service works. */
  health: (options?: Options) => call(op.getHealth, {}, options),
  /** Describe this interface. */
  describe: (options?: Options) => call(op.getOpenApi, {}, options),
})
