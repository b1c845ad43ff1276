import { rest, type Time } from '../../kernel/searches/pace.ts'
import { invalidRegex } from './refusals.ts'
import { searchThreads } from './threads.ts'
import type { Plan, Query, Refusal } from './worker.ts'

/** What the threads said of patterns; those asked for longest ago are at the front. */
const known = new Map<string, Plan | Refusal>()
const MOST_KNOWN = 500
/** Of its JSON. Most take a few hundred; a class of Unicode may take thousands. */
const MOST_CHARACTERS = 4_000

/** Far more than any takes. A search that has less time is given up by itself; its thread would cost more to replace. */
const PLAN_DEADLINE_MS = 5_000

/** How to look for a pattern. One that was seen before, be it wrong or too large, costs no thread anything. */
export async function planOf(query: Query, time: Time): Promise<Plan> {
  const key = `${query.caseSensitive ? 's' : 'i'}${query.pattern}`
  const before = known.get(key)
  const planned = before ?? (await planNew(query, time))
  if (before || JSON.stringify(planned).length <= MOST_CHARACTERS) keep(key, planned)
  if ('reason' in planned) throw invalidRegex(query.pattern, planned)
  return planned
}

async function planNew(query: Query, time: Time): Promise<Plan | Refusal> {
  const planned = await searchThreads.run('plan', query, { deadlineMs: PLAN_DEADLINE_MS })
  await rest(time)
  return planned
}

function keep(key: string, planned: Plan | Refusal): void {
  known.delete(key)
  known.set(key, planned)
  for (const oldest of known.keys()) {
    if (known.size <= MOST_KNOWN) break
    known.delete(oldest)
  }
}
