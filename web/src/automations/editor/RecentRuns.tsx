import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { durationOf } from '../../agents/cost.ts'
import { useNow } from '../../agents/use-now.ts'
import { useWidth, WITH_INSPECTOR } from '../../lib/breakpoints.ts'
import { type AutomationRow, type Run, runsQuery } from '../api.ts'
import { DayBars } from '../list/DayBars.tsx'
import { RunTime } from '../RunTime.tsx'
import { durationMs, outcomeOf } from '../runs/outcome.ts'
import { RunSign } from '../runs/RunSign.tsx'
import { TriggerIcon } from '../TriggerIcon.tsx'
import { TRIGGER_NAMES } from '../words.ts'
import css from './RecentRuns.module.css'

const SHOWN = 12

/** How it went lately, beside what it is set to do. */
export function RecentRuns({ projectId, row }: { projectId: string; row: AutomationRow }) {
  const isWide = useWidth(WITH_INSPECTOR)
  const runs = useInfiniteQuery({ ...runsQuery(projectId, { automation: row.id }), enabled: isWide }).data?.pages[0]
    ?.items
  if (!isWide) return null
  const { total_runs_30d: total, successful_runs_30d: good } = row
  return (
    <aside className={css.side} aria-label="Runs">
      <header>
        <h2>Last 30 days</h2>
        <span className={css.dim}>{total > 0 && `${Math.round((good / total) * 100)} % succeeded`}</span>
        <DayBars row={row} />
        <Link to="/p/$projectId/automations/runs" params={{ projectId }} search={{ automation: row.id }}>
          All runs
        </Link>
      </header>
      {runs?.slice(0, SHOWN).map((run) => (
        <Line key={run.id} run={run} projectId={projectId} />
      ))}
      {runs?.length === 0 && <p className={css.dim}>It never ran.</p>}
    </aside>
  )
}

function Line({ run, projectId }: { run: Run; projectId: string }) {
  const ms = durationMs(run, useNow(run.status === 'running'))
  return (
    <Link
      to="/p/$projectId/automations/runs/$runId"
      params={{ projectId, runId: run.id }}
      search={{ automation: run.automation_id }}
      className={css.run}
    >
      <RunSign status={run.status} isWaiting={run.proposed_count > 0} />
      <span>
        <RunTime at={run.started_at ?? run.created_at} />
        <span className={css.dim}>
          <TriggerIcon type={run.trigger_type} size={13} /> {TRIGGER_NAMES[run.trigger_type]}
        </span>
      </span>
      <span className={css.end}>
        {ms !== undefined && durationOf(ms)}
        <span className={css.dim}>{outcomeOf(run)}</span>
      </span>
    </Link>
  )
}
