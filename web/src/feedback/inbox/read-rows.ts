import * as api from '@slipway/sdk/resources'
import type { Query } from '@tanstack/react-query'
import { callOf } from '../../lib/client.ts'
import { queryClient } from '../../lib/query-client.ts'
import { soon } from '../../lib/soon.ts'
import { type InboxFilter, type InboxPages, inboxKey } from './api.ts'
import { placeRows } from './place-rows.ts'

/** Long enough for what one request changed to arrive. */
const FIRST_MS = 120
/** However much others change, a list is read at most this often. */
const EVERY_MS = 2_000
/** As many as one request may name. */
const MOST_IDS = 100
/** So many pages of a list that nobody looks at are kept. */
const MOST_KEPT = 5

interface Waiting {
  ids: Set<string>
  told: (() => void)[]
}

const waiting = new Map<string, Waiting>()
let lastAt = 0

/**
 * Reads some reports again, and shows them where they belong in the lists now. All changes of a burst share one read.
 * Resolves when it is done.
 */
export function readRowsSoon(projectId: string, ids: Iterable<string>): Promise<void> {
  const burst = waiting.get(projectId) ?? { ids: new Set(), told: [] }
  for (const id of ids) burst.ids.add(id)
  if (burst.ids.size === 0) return Promise.resolve()
  waiting.set(projectId, burst)
  soon(`inbox rows ${projectId}`, Math.max(FIRST_MS, lastAt + EVERY_MS - Date.now()), () => void readBurst(projectId))
  return new Promise((resolve) => burst.told.push(resolve))
}

async function readBurst(projectId: string): Promise<void> {
  const { ids, told } = waiting.get(projectId)!
  waiting.delete(projectId)
  lastAt = Date.now()
  const lists = queryClient.getQueryCache().findAll({ queryKey: inboxKey(projectId) })
  await Promise.allSettled(lists.map((list) => readInto(projectId, list as Query, [...ids])))
  for (const tell of told) tell()
}

async function readInto(projectId: string, list: Query, ids: string[]): Promise<void> {
  if (!list.isActive()) return queryClient.invalidateQueries({ queryKey: list.queryKey, refetchType: 'none' })
  const filter = list.queryKey[2] as InboxFilter
  for (let start = 0; start < ids.length; start += MOST_IDS) {
    const some = ids.slice(start, start + MOST_IDS)
    const { items, total } = await api.feedback(callOf(projectId)).listInbox({ ...filter, id: some, limit: MOST_IDS })
    // A page that is being read is added to the list as it was when that read began.
    while (list.state.fetchStatus === 'fetching') await list.promise?.catch(() => undefined)
    const read = { ids: some, found: items, total, isOldestFirst: filter.sort === 'number' }
    queryClient.setQueryData<InboxPages>(list.queryKey, (old) => old && placeRows(old, read))
  }
}

/** A list that is left keeps its beginning only, because it is read again as a whole when somebody comes back. */
export function keepBeginning(queryKey: Query['queryKey']): void {
  queryClient.setQueryData<InboxPages>(queryKey, (old) =>
    old && old.pages.length > MOST_KEPT
      ? { pages: old.pages.slice(0, MOST_KEPT), pageParams: old.pageParams.slice(0, MOST_KEPT) }
      : old,
  )
}
