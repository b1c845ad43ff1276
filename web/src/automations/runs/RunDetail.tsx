import { useQuery } from '@tanstack/react-query'
import { Fragment, useMemo } from 'react'
import { durationOf } from '../../agents/cost.ts'
import { callsOf, ToolCalls } from '../../agents/ToolCalls.tsx'
import { useNow } from '../../agents/use-now.ts'
import { useWidth, WITH_INSPECTOR } from '../../lib/breakpoints.ts'
import { cx } from '../../lib/cx.ts'
import { countOf, formatCount } from '../../lib/numbers.ts'
import { useStore } from '../../lib/store.ts'
import { exactTimeOf } from '../../lib/time.ts'
import { Button } from '../../ui/Button.tsx'
import { IconAlertTriangle, IconChecks, IconRefresh } from '../../ui/icons.ts'
import { Markdown } from '../../ui/Markdown.tsx'
import { activityQuery, type RunEvent, type RunPage } from '../api.ts'
import { decideAll } from '../edits.ts'
import { initialsOf } from '../words.ts'
import { Changes } from './Changes.tsx'
import { isActive } from './known-runs.ts'
import { durationMs, headingOf } from './outcome.ts'
import { Proposals } from './Proposals.tsx'
import css from './RunDetail.module.css'
import { RunFacts } from './RunFacts.tsx'
import { RunSign } from './RunSign.tsx'
import { mayRetry, useRetry } from './RunTools.tsx'
import { sayingIn, useRunStream } from './stream.ts'

interface Props {
  run: RunPage
  projectId: string
}

const isDecision = ({ status }: RunPage['writes'][number]) =>
  status === 'proposed' || status === 'accepted' || status === 'rejected'

/** A run: how it went, what it said, what it changed or proposes, and what it called. It grows while the run goes on. */
export function RunDetail({ run, projectId }: Props) {
  const isWide = useWidth(WITH_INSPECTOR)
  const events = useQuery(activityQuery(projectId, run.id)).data
  useRunStream(projectId, run, events)
  const calls = useMemo(() => callsOf(events ?? []), [events])
  const isReview = run.writes.some(isDecision)
  const waits = run.writes.some(({ status }) => status === 'proposed')
  return (
    <>
      <article className={css.run} aria-label="Run">
        <header className={css.head}>
          <RunSign status={run.status} isWaiting={waits} size={28} />
          <h1>{headingOf(run)}</h1>
          {run.dry_run && <span className={cx(css.badge, css.violet)}>Dry run</span>}
          {run.status === 'failed' && <span className={cx(css.badge, css.red)}>Failed</span>}
          <span className={css.grow} />
          {run.may.review && waits && !isActive(run) && <DecideAll run={run} projectId={projectId} />}
        </header>
        <Stages run={run} calls={calls.length} />
        {run.error && run.status !== 'succeeded' && <Fault run={run} projectId={projectId} />}
        {run.text && run.status === 'succeeded' && <Words run={run} text={run.text} />}
        {run.status === 'running' && <Saying run={run} events={events ?? []} />}
        {isReview ? <Proposals run={run} projectId={projectId} /> : <Changes run={run} projectId={projectId} />}
        {(calls.length > 0 || run.status === 'running') && (
          <section aria-label="Tool calls">
            <h2 className={css.heading}>
              Tool calls <small>{formatCount(calls.length)}</small>
            </h2>
            {calls.length > 0 ? (
              <ToolCalls calls={calls} isOver={!isActive(run)} />
            ) : (
              <p className={css.dim}>It thinks about what to do first.</p>
            )}
          </section>
        )}
        {!isWide && <RunFacts run={run} projectId={projectId} />}
      </article>
      {isWide && (
        <aside className={css.side} aria-label="About the run">
          <RunFacts run={run} projectId={projectId} />
        </aside>
      )}
    </>
  )
}

const Words = ({ run, text }: { run: RunPage; text: string }) => (
  <div className={css.words}>
    <span className={css.mark} aria-hidden="true">
      {initialsOf(run.automation.name)}
    </span>
    <div>
      <Markdown text={text} />
    </div>
  </div>
)

/** What the agent says while it works: the words that arrive, or the last that it has said. */
function Saying({ run, events }: { run: RunPage; events: RunEvent[] }) {
  const saying = useStore(sayingIn(run.id))
  const text = saying || events.findLast(({ kind }) => kind === 'assistant')?.text
  return text ? <Words run={run} text={text} /> : null
}

function DecideAll({ run, projectId }: Props) {
  const ids = { automationId: run.automation.id, runId: run.id }
  const open = run.writes.filter(({ status }) => status === 'proposed')
  const able = open.filter(({ changed_since }) => changed_since === null)
  return (
    <span className={css.tools}>
      <Button onClick={() => void decideAll(projectId, { ...ids, decision: 'reject' })}>Reject all</Button>
      {able.length > 0 && (
        <Button
          look="primary"
          icon={<IconChecks size={16} stroke={1.75} />}
          onClick={() => void decideAll(projectId, { ...ids, decision: 'accept' })}
        >
          Accept all {able.length}
        </Button>
      )}
    </span>
  )
}

/** When it was scheduled, began and ended. */
function Stages({ run, calls }: { run: RunPage; calls: number }) {
  const ms = durationMs(run, useNow(run.status === 'running'))
  const end = run.completed_at
  const names = {
    succeeded: 'Succeeded',
    failed: 'Failed',
    cancelled: 'Cancelled',
    running: 'Now',
    scheduled: 'Waiting',
  }
  const stages = [
    { name: 'Scheduled', at: run.created_at },
    ...(run.started_at ? [{ name: 'Running', at: run.started_at }] : []),
    { name: names[run.status], at: end },
  ]
  const changes = run.writes.length
  const between = [
    ms !== undefined && durationOf(ms),
    calls > 0 && countOf(calls, 'tool call'),
    changes > 0 && countOf(changes, run.writes.some(isDecision) ? 'proposal' : 'change'),
  ].filter(Boolean)
  return (
    <ol className={cx(css.stages, css[run.status])}>
      {stages.map(({ name, at }, index) => (
        <Fragment key={name}>
          {index > 0 && (
            <li className={css.between} aria-hidden={index < stages.length - 1}>
              {index === stages.length - 1 && run.started_at && between.join(' · ')}
            </li>
          )}
          <li>
            <strong>{name}</strong>
            <span>{at ? exactTimeOf(Date.parse(at)) : ''}</span>
          </li>
        </Fragment>
      ))}
    </ol>
  )
}

/** Why a run ended early, and what to do. */
function Fault({ run, projectId }: Props) {
  const retry = useRetry(run, projectId)
  return (
    <div className={cx(css.fault, run.status === 'cancelled' && css.calm)} role="note">
      <h2>
        <IconAlertTriangle size={17} stroke={1.75} />
        {run.status === 'failed' ? 'The run failed' : 'The run was cancelled'}
      </h2>
      <p>{run.error}</p>
      {mayRetry(run) && (
        <Button icon={<IconRefresh size={15} stroke={1.75} />} onClick={retry}>
          Retry
        </Button>
      )}
      {!mayRetry(run) && run.may.edit && !run.automation.enabled && (
        <p>“{run.automation.name}” is off. Switch it on to do the run again.</p>
      )}
    </div>
  )
}
