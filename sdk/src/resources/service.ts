import type { Call, Options } from '../operation.ts'

export const service = (call: Call) => ({
  /** Say whether the service works. */
  health: (options?: Options) => call('getHealth', {}, options),
  /** Describe this interface. */
  describe: (options?: Options) => call('getOpenApi', {}, options),
})
