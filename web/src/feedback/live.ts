import { followChanges } from '../lib/changes.ts'
import { countsQuery } from '../lib/counts.ts'
import { refreshSoon } from '../lib/refresh-soon.ts'
import { feedbackKey } from './api.ts'

/** Keys and the project are here because of Connect: who may report, and how the widget looks. */
const FOLLOWED = new Set(['feedback_item', 'theme', 'api_key', 'project'])

/** Reads again what a report, a person or triage changed, where a screen shows it. */
export const followFeedback = () =>
  followChanges(({ subject_type }, projectId) => {
    if (!FOLLOWED.has(subject_type)) return
    void refreshSoon([feedbackKey(projectId), countsQuery(projectId).queryKey])
  })
