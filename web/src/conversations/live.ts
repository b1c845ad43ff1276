import { followChanges } from '../lib/changes.ts'
import { queryClient } from '../lib/query-client.ts'
import { refreshSoon } from '../lib/refresh-soon.ts'
import { conversationsKey, modelQuery, rowsKey, type Transcript, transcriptKey } from './api.ts'

/** Reads again what began, ended or was changed by somebody, where a screen shows it. */
export const followConversations = () =>
  followChanges(({ subject_type, subject_id }, projectId) => {
    if (subject_type === 'agent_conversation')
      void refreshSoon([rowsKey(projectId), transcriptKey(projectId, subject_id)])
    // What others change can make a proposal outdated.
    else void refreshSoon(openWithProposals(projectId))
    if (subject_type === 'project') void queryClient.invalidateQueries(modelQuery(projectId))
    if (subject_type === 'automation_run') void refreshSoon([rowsKey(projectId)])
  })

const openWithProposals = (projectId: string) =>
  queryClient
    .getQueriesData<Transcript>({ queryKey: [...conversationsKey(projectId), 'transcript'] })
    .flatMap(([key, shown]) => (shown?.proposals.some(({ status }) => status === 'proposed') ? [key] : []))
