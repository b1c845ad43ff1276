import { followChanges } from '../lib/changes.ts'
import { queryClient } from '../lib/query-client.ts'
import { refreshSoon } from '../lib/refresh-soon.ts'
import { automationsKey, runsKey } from './api.ts'
import { outdateRuns, type RunsPage } from './runs/known-runs.ts'

const FOLLOWED = new Set(['automation', 'automation_run', 'integration', 'project'])

/** Reads again what a person or a run changed, where a screen shows it. */
export const followAutomations = () =>
  followChanges((change, projectId) => {
    outdateRuns(
      queryClient
        .getQueriesData<{ pages: RunsPage[] }>({ queryKey: runsKey(projectId) })
        .flatMap(([, read]) => read?.pages ?? []),
      ({ id, automation_id }) => id === change.subject_id || automation_id === change.subject_id,
    )
    // What others change can make a proposal outdated.
    const keys = FOLLOWED.has(change.subject_type)
      ? [automationsKey(projectId)]
      : [[...automationsKey(projectId), 'run']]
    void refreshSoon(keys)
  })
