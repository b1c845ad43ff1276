import type { SliceSettings } from '../../kernel/settings.ts'

export const automationSettings: SliceSettings<{
  /** How many runs a node works on at once. */
  runsAtOnce: number
  /** How many agents may lead to each other in a row. */
  chainDepth: number
  /** How many runs one cause may lead to within an hour. */
  chainRunsPerHour: number
}> = {
  read: (env) => ({
    runsAtOnce: env.whole('AUTOMATION_RUNS', 4, 1, 1_000),
    chainDepth: env.whole('AUTOMATION_CHAIN_DEPTH', 3, 0, 100),
    chainRunsPerHour: env.whole('AUTOMATION_CHAIN_RUNS', 20, 1, 10_000),
  }),
}
