import { useNavigate } from '@tanstack/react-router'
import { untilSaved } from '../lib/outbox/until-saved.ts'
import { startRun } from './edits.ts'

/** Starts a run and opens its page. `input` is what the agent should know besides its instructions. */
export function useStartRun(projectId: string, id: string | undefined) {
  const navigate = useNavigate()
  return (dry_run: boolean, input: string | null = null) => {
    if (id === undefined) return
    void untilSaved(startRun(projectId, { id, dry_run, input }), 'No run was started', ({ id: runId }) =>
      navigate({
        to: '/p/$projectId/automations/runs/$runId',
        params: { projectId, runId },
        search: { automation: id },
      }),
    )
  }
}
