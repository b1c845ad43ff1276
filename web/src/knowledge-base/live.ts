import { activityQuery } from '../activity/api.ts'
import { followChanges } from '../lib/changes.ts'
import { flash } from '../lib/recent-changes.ts'
import { refreshSoon } from '../lib/refresh-soon.ts'
import { foldersQuery, ROWS, trashQuery } from './api.ts'

/** Reads again what others changed. Uses change with whatever refers to a file. */
export const followKnowledgeBase = () =>
  followChanges(({ subject_type, subject_id, kind }, projectId, isOwn) => {
    if (subject_type !== 'artifact') {
      if (/connected|comment/.test(kind)) void refreshSoon([[projectId, ROWS]])
      return
    }
    void refreshSoon([
      [projectId, 'artifact', subject_id],
      [projectId, ROWS],
      foldersQuery(projectId).queryKey,
      trashQuery(projectId).queryKey,
      activityQuery(projectId, subject_id).queryKey,
    ]).then(() => !isOwn && flash(subject_id))
  })
