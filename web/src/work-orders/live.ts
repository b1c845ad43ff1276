import { activityQuery } from '../activity/api.ts'
import { type Change, followChanges } from '../lib/changes.ts'
import { openAddress } from '../lib/navigate.ts'
import { flash, showNotice } from '../lib/recent-changes.ts'
import { refreshSoon } from '../lib/refresh-soon.ts'
import { announceChange } from './announcements.ts'
import {
  claimQuery,
  claimsQuery,
  codeQuery,
  commentsQuery,
  labelsQuery,
  phasesQuery,
  rowsQuery,
  viewsQuery,
} from './api.ts'
import { findDetail, findRow } from './rows/cache.ts'
import { codeOf } from './work-order.ts'

/** The last change of each work order by others since the screen was read, to say who did what. */
const byOthers = new Map<string, Map<string, Change>>()

/** Reads again what others changed. What this tab changed itself is shown already. */
export const followWorkOrders = () =>
  followChanges((change, projectId, isOwn) => {
    const { subject_type, subject_id, kind } = change
    if (subject_type === 'label') void refreshSoon([labelsQuery(projectId).queryKey])
    if (subject_type === 'phase') void refreshSoon([phasesQuery(projectId).queryKey])
    if ((subject_type === 'label' || subject_type === 'phase') && !isOwn && !kind.endsWith('.created'))
      void refreshSoon([rowsQuery(projectId).queryKey])
    // Rows name people, whom the frame reads again.
    if (subject_type === 'user') void refreshSoon([rowsQuery(projectId).queryKey])
    if (subject_type === 'work_order_view') void refreshSoon([viewsQuery(projectId).queryKey])
    if (subject_type !== 'work_order') return
    void refreshSoon([activityQuery(projectId, subject_id).queryKey])
    if (kind.startsWith('work_order.claim'))
      void refreshSoon([claimQuery(projectId, subject_id).queryKey, claimsQuery(projectId).queryKey])
    if (isOwn) return
    if (kind === 'work_order.code_linked') void refreshSoon([codeQuery(projectId, subject_id).queryKey])
    if (kind.includes('comment')) void refreshSoon([commentsQuery(projectId, subject_id).queryKey])
    note(projectId, change)
  })

function note(projectId: string, change: Change): void {
  const { subject_id, kind } = change
  const known = byOthers.get(projectId)
  const changed = known ?? new Map<string, Change>()
  byOthers.set(projectId, changed)
  // A change of status says more than the update that comes with it.
  if (changed.get(subject_id)?.kind !== 'work_order.status_changed' || kind !== 'work_order.updated')
    changed.set(subject_id, change)
  const shown = findDetail(projectId, subject_id)
  const done = refreshSoon([rowsQuery(projectId).queryKey, ...(shown ? [shown] : [])])
  if (known) return
  void done.then(() => {
    byOthers.delete(projectId)
    for (const id of changed.keys()) flash(id)
    announce(projectId, [...changed.values()].at(-1)!, changed.size)
  })
}

function announce(projectId: string, change: Change, count: number): void {
  const { subject_id, actor, id, payload } = change
  const row = findRow(projectId, subject_id)
  const number = row?.work_order_number ?? (payload.work_order_number as number | undefined)
  if (number === undefined) return
  const code = codeOf({ work_order_number: number })
  const rest = count > 1 ? ` and ${count - 1} more` : ''
  const open = row && (() => openAddress(`/p/${projectId}/work-orders/${number}`))
  showNotice({ id, actor, text: `${announceChange(change, code)}${rest}`, open })
}
