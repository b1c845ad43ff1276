import { clientOf, SlipwayError } from '../lib/client.ts'
import { type Change, onChange } from '../lib/live.ts'
import { openAddress } from '../lib/navigate.ts'
import { queryClient } from '../lib/query-client.ts'
import { flash, showNotice } from '../lib/recent-changes.ts'
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
import { activityQuery } from './detail/activity-query.ts'
import { changeCommentCount, findRow, hideRows, refreshDetail, refreshRows, showRow } from './rows/cache.ts'
import { codeOf, STATUS_NAMES, type Status } from './work-order.ts'

const GATHER_MS = 120
/** More than these are read together, as the whole list. */
const MAX_SINGLE = 20

interface Gathered {
  changed: Set<string>
  /** The last change of each, to say who did what. */
  byOthers: Map<string, Change>
}
const waiting = new Map<string, Gathered>()
let isGathering = false

/**
 * Reads again what others changed: each work order alone, so that a list of thousands is not read for one of them.
 * What this tab changed itself is shown already.
 */
export const followWorkOrders = () =>
  void onChange((change, projectId, isOwn) => {
    const { subject_type, subject_id, kind } = change
    if (subject_type === 'label') void queryClient.invalidateQueries({ queryKey: labelsQuery(projectId).queryKey })
    if (subject_type === 'phase') void queryClient.invalidateQueries({ queryKey: phasesQuery(projectId).queryKey })
    if ((subject_type === 'label' || subject_type === 'phase') && !isOwn && !kind.endsWith('.created'))
      refreshRows(projectId)
    // Rows name people, whom the frame reads again.
    if (subject_type === 'user') refreshRows(projectId)
    if (subject_type === 'work_order_view')
      void queryClient.invalidateQueries({ queryKey: viewsQuery(projectId).queryKey })
    if (subject_type !== 'work_order') return
    void queryClient.invalidateQueries({ queryKey: activityQuery(projectId, subject_id).queryKey })
    if (kind.startsWith('work_order.claim')) {
      void queryClient.invalidateQueries({ queryKey: claimQuery(projectId, subject_id).queryKey })
      void queryClient.invalidateQueries({ queryKey: claimsQuery(projectId).queryKey })
    }
    if (isOwn) return
    if (kind === 'work_order.code_linked')
      void queryClient.invalidateQueries({ queryKey: codeQuery(projectId, subject_id).queryKey })
    if (kind.includes('comment')) {
      void queryClient.invalidateQueries({ queryKey: commentsQuery(projectId, subject_id).queryKey })
      if (kind === 'work_order.commented') changeCommentCount(projectId, subject_id, 1)
      if (kind === 'work_order.comment_deleted') changeCommentCount(projectId, subject_id, -1)
    }
    const gathered = waiting.get(projectId) ?? { changed: new Set(), byOthers: new Map() }
    waiting.set(projectId, gathered)
    gathered.changed.add(subject_id)
    // A change of status says more than the update that comes with it.
    const before = gathered.byOthers.get(subject_id)
    if (before?.kind !== 'work_order.status_changed' || kind !== 'work_order.updated')
      gathered.byOthers.set(subject_id, change)
    if (!isGathering) setTimeout(readAll, GATHER_MS)
    isGathering = true
  })

function readAll(): void {
  isGathering = false
  for (const [projectId, gathered] of waiting) void read(projectId, gathered)
  waiting.clear()
}

async function read(projectId: string, { changed, byOthers }: Gathered): Promise<void> {
  const deleted = new Map([...byOthers].filter(([, { kind }]) => kind === 'work_order.deleted'))
  hideRows(projectId, new Set(deleted.keys()))
  const ids = [...changed].filter((id) => !deleted.has(id))
  if (!queryClient.getQueryData(rowsQuery(projectId).queryKey)) refreshRows(projectId)
  else if (ids.length > MAX_SINGLE) await queryClient.invalidateQueries({ queryKey: rowsQuery(projectId).queryKey })
  else await Promise.all(ids.map((id) => readOne(projectId, id)))
  for (const id of ids) flash(id)
  const last = [...byOthers.values()].at(-1)
  if (last) announce(projectId, last, byOthers.size)
}

async function readOne(projectId: string, id: string): Promise<void> {
  try {
    const { data } = await clientOf(projectId).workOrders.get(id)
    showRow(projectId, data)
    refreshDetail(projectId, data.work_order_number)
  } catch (err) {
    if (err instanceof SlipwayError && err.status === 404) hideRows(projectId, new Set([id]))
    else refreshRows(projectId)
  }
}

const FIELD_WORDS: Record<string, string> = {
  title: 'the title',
  markdown_content: 'the description',
  implementation_plan: 'the plan',
  priority: 'the priority',
  type: 'the type',
  phase: 'the phase',
  assignee: 'the assignee',
  labels: 'the labels',
  connectedContext: 'the connections',
}

function announce(projectId: string, change: Change, count: number): void {
  const { subject_id, actor, id, payload } = change
  const row = findRow(projectId, subject_id)
  const number = row?.work_order_number ?? (payload.work_order_number as number | undefined)
  if (number === undefined) return
  const code = codeOf({ work_order_number: number })
  const rest = count > 1 ? ` and ${count - 1} more` : ''
  const open = row && (() => openAddress(`/p/${projectId}/work-orders/${number}`))
  showNotice({ id, actor, text: `${wordsOf(change, code)}${rest}`, open })
}

function wordsOf({ kind, payload }: Change, code: string): string {
  switch (kind) {
    case 'work_order.created':
      return `created ${code}`
    case 'work_order.deleted':
      return `deleted ${code}`
    case 'work_order.commented':
      return `commented on ${code}`
    case 'work_order.claimed':
      return `claimed ${code}`
    case 'work_order.claim_ended':
      return `ended the claim on ${code}`
    case 'work_order.code_linked':
      return `linked code to ${code}`
    case 'work_order.status_changed':
      return `moved ${code} to ${STATUS_NAMES[payload.to as Status] ?? String(payload.to)}`
    case 'work_order.updated': {
      const [first] = (payload.fields as string[] | undefined) ?? []
      return first && FIELD_WORDS[first] ? `changed ${FIELD_WORDS[first]} of ${code}` : `changed ${code}`
    }
    default:
      return `changed ${code}`
  }
}
