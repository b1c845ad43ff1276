import type { SliceSettings } from '../kernel/settings.ts'

export const automationSettings: SliceSettings<{
  /** How many runs a node works on at once. */
  runsAtOnce: number
}> = {
  read: (env) => ({ runsAtOnce: env.whole('AUTOMATION_RUNS', 4, 1, 1_000) }),
}
