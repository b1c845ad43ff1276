import { useNavigate } from '@tanstack/react-router'
import { untilSaved } from '../../lib/outbox/until-saved.ts'
import { Button } from '../../ui/Button.tsx'
import { IconRefresh, IconSquare } from '../../ui/icons.ts'
import { Kbd } from '../../ui/Kbd.tsx'
import type { RunPage } from '../api.ts'
import { cancelRun, retryRun } from '../edits.ts'
import { useShortcut } from '../shortcuts.ts'
import { isActive } from './outcome.ts'

export const mayRetry = (run: RunPage) =>
  run.may.edit && (run.status === 'failed' || run.status === 'cancelled') && (run.automation.enabled || run.dry_run)

/** Does a run again and opens the new one. */
export function useRetry(run: RunPage, projectId: string): () => void {
  const navigate = useNavigate()
  const ids = { automationId: run.automation.id, runId: run.id }
  return () =>
    void untilSaved(retryRun(projectId, ids), 'The run was not done again', ({ id }) =>
      navigate({
        to: '/p/$projectId/automations/runs/$runId',
        params: { projectId, runId: id },
        search: (old: object) => old,
      } as never),
    )
}

/** What can be done with a run, in the top bar. */
export function RunTools({ run, projectId }: { run: RunPage; projectId: string }) {
  const retry = useRetry(run, projectId)
  const isRetried = mayRetry(run)
  useShortcut('run-retry', isRetried ? retry : undefined)
  return (
    <>
      {run.may.review && isActive(run) && (
        <Button
          icon={<IconSquare size={15} stroke={1.75} />}
          disabled={run.cancel_requested}
          onClick={() => void cancelRun(projectId, { automationId: run.automation.id, runId: run.id })}
        >
          {run.cancel_requested ? 'Stopping' : 'Cancel'}
        </Button>
      )}
      {isRetried && (
        <Button look="primary" icon={<IconRefresh size={15} stroke={1.75} />} onClick={retry}>
          Retry <Kbd keys="r" onAccent />
        </Button>
      )}
    </>
  )
}
