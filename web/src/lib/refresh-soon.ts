import { hashKey, type QueryKey } from '@tanstack/react-query'
import { queryClient } from './query-client.ts'

/** Long enough for what one request changed to arrive. */
const FIRST_MS = 120
/** However much others change, each screen is read again at most this often. */
const EVERY_MS = 2_000
/** Typing changes a document every second, so it is followed at a distance. */
const TYPED_MS = 3_000

const due = new Map<string, QueryKey>()
let waiting: (() => void)[] = []
let timer: ReturnType<typeof setTimeout> | undefined
let timerAt = 0
let lastAt = 0

/**
 * Reads again what others changed, if a screen shows it; anything else is read when it is shown. All changes of a burst
 * share one read. Resolves when it is done.
 */
export function refreshSoon(keys: QueryKey[], { isTyping = false } = {}): Promise<void> {
  for (const key of keys) due.set(hashKey(key), key)
  const now = Date.now()
  const at = Math.max(now + (isTyping ? TYPED_MS : FIRST_MS), lastAt + EVERY_MS)
  if (timer === undefined || at < timerAt) {
    clearTimeout(timer)
    timerAt = at
    timer = setTimeout(refresh, at - now)
  }
  return new Promise((resolve) => waiting.push(resolve))
}

async function refresh(): Promise<void> {
  timer = undefined
  lastAt = Date.now()
  const all = [...due.values()]
  const told = waiting
  due.clear()
  waiting = []
  // A read that has begun may lack the change. Ending it instead would never let a long list arrive.
  const isBusy = (queryKey: QueryKey) => queryClient.isFetching({ queryKey }) > 0
  const busy = all.filter(isBusy)
  const keys = all.filter((key) => !busy.includes(key))
  if (busy.length > 0) void refreshSoon(busy)
  await Promise.allSettled(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })))
  for (const tell of told) tell()
}
