import { followChanges } from '../lib/changes.ts'
import { countsQuery } from '../lib/counts.ts'
import { refreshSoon } from '../lib/refresh-soon.ts'
import { feedbackKey } from './api.ts'

/** Reads again what a report, a person or triage changed, where a screen shows it. */
export const followFeedback = () =>
  followChanges(({ subject_type }, projectId) => {
    if (subject_type !== 'feedback_item' && subject_type !== 'theme') return
    void refreshSoon([feedbackKey(projectId), countsQuery(projectId).queryKey])
  })
