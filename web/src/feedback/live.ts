import { activityQuery } from '../activity/api.ts'
import { keysQuery } from '../keys/api.ts'
import { type Change, followChanges } from '../lib/changes.ts'
import { countsQuery } from '../lib/counts.ts'
import { openAddress } from '../lib/navigate.ts'
import { flash, showNotice } from '../lib/recent-changes.ts'
import { refreshSoon } from '../lib/refresh-soon.ts'
import { feedbackKey } from './api.ts'
import { findItem, findRows, isAbout, outdateSuggestions } from './inbox/cache.ts'
import { readRowsSoon } from './inbox/read-rows.ts'

/** Keys and the project are here because of Connect: who may report, and how the widget looks. */
const FOLLOWED = new Set(['feedback_item', 'theme', 'api_key', 'project'])

/** Reads again what a report, a person or triage changed, where a screen shows it. */
export const followFeedback = () =>
  followChanges((change, projectId, isOwn) => {
    const { subject_type, subject_id } = change
    // Lists of themes show the work orders that are linked.
    if (subject_type === 'work_order')
      void refreshSoon(['theme-rows', 'theme'].map((one) => [...feedbackKey(projectId), one]))
    if (!FOLLOWED.has(subject_type)) return
    const known = findItem(projectId, subject_id)
    const read = refreshSoon([
      feedbackKey(projectId),
      keysQuery(projectId).queryKey,
      countsQuery(projectId).queryKey,
      activityQuery(projectId, subject_id).queryKey,
    ])
    if (change.kind === 'theme.created') outdateSuggestions(projectId)
    const done = Promise.all([read, readRowsSoon(projectId, rowsOf(projectId, change))])
    if (isOwn || subject_type !== 'feedback_item') return
    void done.then(() => {
      flash(subject_id)
      announce(projectId, change, known?.display_id)
    })
  })

/** The reports that a change is about. */
function rowsOf(projectId: string, { subject_type, subject_id, payload }: Change): string[] {
  if (subject_type === 'feedback_item') return [subject_id]
  if (subject_type !== 'theme') return []
  const { feedback_item_id } = payload as { feedback_item_id?: string }
  return feedback_item_id ? [feedback_item_id] : findRows(projectId, isAbout(subject_id))
}

/** Says who did what to a report, or that a new one arrived. */
function announce(projectId: string, { id, kind, actor, payload }: Change, known: string | undefined): void {
  const { feedback_number, to } = payload as { feedback_number?: number; to?: string }
  const code = feedback_number === undefined ? known : `FB-${feedback_number}`
  if (!code) return
  const open = () => openAddress(`/p/${projectId}/feedback/${code.slice(3)}`)
  if (kind === 'feedback_item.submitted') showNotice({ id, actor, text: `sent ${code}`, open })
  if (kind === 'feedback_item.status_changed')
    showNotice({ id, actor, text: to === 'processed' ? `processed ${code}` : `put ${code} back to process`, open })
}
