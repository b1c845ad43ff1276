import { followChanges } from '../lib/changes.ts'
import { refreshSoon } from '../lib/refresh-soon.ts'
import { automationsKey } from './api.ts'

const FOLLOWED = new Set(['automation', 'automation_run', 'integration', 'project'])

/** Reads again what a person or a run changed, where a screen shows it. */
export const followAutomations = () =>
  followChanges((change, projectId) => {
    // What others change can make a proposal outdated.
    const keys = FOLLOWED.has(change.subject_type)
      ? [automationsKey(projectId)]
      : [[...automationsKey(projectId), 'run']]
    void refreshSoon(keys)
  })
