import { activityQuery } from '../activity/api.ts'
import { followChanges } from '../lib/changes.ts'
import { isKind } from '../lib/kinds.ts'
import { flash } from '../lib/recent-changes.ts'
import { refreshSoon } from '../lib/refresh-soon.ts'
import { foldersQuery, ROWS, trashQuery } from './api.ts'

/** Reads again what others changed. Uses change with whatever refers to a file. */
export const followKnowledgeBase = () =>
  followChanges(({ subject_type, subject_id, kind, payload }, projectId, isOwn) => {
    const isTyping = Boolean(payload.folded)
    if (isKind(subject_type)) void refreshSoon([[projectId, 'artifact-uses']], { isTyping })
    if (subject_type !== 'artifact') {
      if (/connected|comment|work_order.updated/.test(kind)) void refreshSoon([[projectId, ROWS]])
      return
    }
    const shown = [
      [projectId, 'artifact', subject_id],
      [projectId, ROWS],
      foldersQuery(projectId).queryKey,
      trashQuery(projectId).queryKey,
      activityQuery(projectId, subject_id).queryKey,
    ]
    void refreshSoon(shown, { isTyping }).then(() => !isOwn && !isTyping && flash(subject_id))
  })
