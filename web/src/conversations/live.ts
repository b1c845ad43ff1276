import { followChanges } from '../lib/changes.ts'
import { refreshSoon } from '../lib/refresh-soon.ts'
import { rowsKey, transcriptKey } from './api.ts'

/** Reads again what began, ended or was changed by somebody, where a screen shows it. */
export const followConversations = () =>
  followChanges(({ subject_type, subject_id }, projectId) => {
    if (subject_type === 'agent_conversation')
      void refreshSoon([rowsKey(projectId), transcriptKey(projectId, subject_id)])
    if (subject_type === 'automation_run') void refreshSoon([rowsKey(projectId)])
  })
