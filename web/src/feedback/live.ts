import { activityQuery } from '../activity/api.ts'
import { followChanges } from '../lib/changes.ts'
import { countsQuery } from '../lib/counts.ts'
import { refreshSoon } from '../lib/refresh-soon.ts'
import { feedbackKey } from './api.ts'

/** Keys and the project are here because of Connect: who may report, and how the widget looks. */
const FOLLOWED = new Set(['feedback_item', 'theme', 'api_key', 'project'])

/** Reads again what a report, a person or triage changed, where a screen shows it. */
export const followFeedback = () =>
  followChanges(({ subject_type, subject_id }, projectId) => {
    // Lists of themes show the work orders that are linked.
    if (subject_type === 'work_order')
      void refreshSoon(['theme-rows', 'theme'].map((one) => [...feedbackKey(projectId), one]))
    if (!FOLLOWED.has(subject_type)) return
    const keys = [feedbackKey(projectId), countsQuery(projectId).queryKey]
    void refreshSoon([...keys, activityQuery(projectId, subject_id).queryKey])
  })
