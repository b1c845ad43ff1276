import { useNavigate } from '@tanstack/react-router'
import { askAbout } from '../../lib/ask-about.ts'
import { copyText } from '../../lib/copy-text.ts'
import { useMayWrite } from '../../lib/may-write.ts'
import { untilSaved } from '../../lib/outbox/until-saved.ts'
import { Button } from '../../ui/Button.tsx'
import { IconLink, IconMessage, IconMessages, IconRefresh, IconSquare } from '../../ui/icons.ts'
import { Kbd } from '../../ui/Kbd.tsx'
import { MoreMenu } from '../../ui/MoreMenu.tsx'
import type { RunPage } from '../api.ts'
import { cancelRun, retryRun } from '../edits.ts'
import { useShortcut } from '../shortcuts.ts'
import { isActive } from './known-runs.ts'

const SIZE = { size: 16, stroke: 1.75 }

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
  const mayWrite = useMayWrite()
  const navigate = useNavigate()
  useShortcut('run-retry', isRetried ? retry : undefined)
  const { conversation_id: conversationId, automation } = run
  const pick = (value: string) => {
    if (value === 'ask')
      askAbout(projectId, {
        name: `the run ${run.id} of ${automation.name}`,
        href: `/p/${projectId}/automations/runs/${run.id}`,
      })
    else if (value === 'open')
      void navigate({
        to: '/p/$projectId/conversations/$conversationId',
        params: { projectId, conversationId: conversationId! },
      } as never)
    else void copyText(location.origin + location.pathname, 'Link copied')
  }
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
      <MoreMenu
        label="More about this run"
        onPick={pick}
        options={[
          { value: 'link', label: 'Copy link', icon: <IconLink {...SIZE} /> },
          ...(run.is_own && conversationId !== null
            ? [{ value: 'open', label: 'Open conversation', icon: <IconMessage {...SIZE} /> }]
            : []),
          ...(mayWrite ? [{ value: 'ask', label: 'Ask about this', icon: <IconMessages {...SIZE} /> }] : []),
        ]}
      />
    </>
  )
}
