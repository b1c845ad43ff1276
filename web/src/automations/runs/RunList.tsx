import { Link } from '@tanstack/react-router'
import { type MouseEvent, useMemo, useRef } from 'react'
import { durationOf } from '../../agents/cost.ts'
import { useNow } from '../../agents/use-now.ts'
import { cx } from '../../lib/cx.ts'
import { useTicking } from '../../lib/ticks.ts'
import { GroupedList } from '../../ui/list/GroupedList.tsx'
import { GridCell, GridRow } from '../../ui/list/grid.tsx'
import { type ListHandle, useCursor } from '../../ui/list/use-cursor.ts'
import type { Run } from '../api.ts'
import { runTimeOf } from '../RunTime.tsx'
import type { RunSearch } from '../search.ts'
import { useShortcut } from '../shortcuts.ts'
import { TriggerIcon } from '../TriggerIcon.tsx'
import { durationMs, outcomeOf } from './outcome.ts'
import css from './RunList.module.css'
import { RunSign } from './RunSign.tsx'

const ROW_PX = 56
const NAMED_PX = 74
const NONE: ReadonlySet<string> = new Set()

interface Props {
  projectId: string
  rows: Run[] | undefined
  search: RunSearch
  openId: string | undefined
  /** They are of several automations. */
  withNames: boolean
  onOpen(id: string): void
  onEnd(): void
}

/** The runs, the newest first. Only those in view are drawn. */
export function RunList({ projectId, rows, search, openId, withNames, onOpen, onEnd }: Props) {
  const handle = useRef<ListHandle>(null)
  const groups = useMemo(() => [{ key: 'all', rows: rows ?? [] }], [rows])
  const ids = useMemo(() => (rows ?? []).map(({ id }) => id), [rows])
  const { step, clear: _, ...cursor } = useCursor(ids, { openId, list: handle })
  // With a run open, J and K go through its proposals.
  useShortcut('next', openId === undefined ? () => step(1) : undefined)
  useShortcut('previous', openId === undefined ? () => step(-1) : undefined)
  const click = (event: MouseEvent) => {
    const id = (event.target as Element).closest<HTMLElement>('[data-row]')?.dataset.row
    if (!id || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0) return
    event.preventDefault()
    onOpen(id)
  }
  if (!rows)
    return (
      <div className={css.skeleton} aria-busy="true">
        <span />
        <span />
        <span />
      </div>
    )
  return (
    <GroupedList
      label="Runs"
      groups={groups}
      folded={NONE}
      cursor={cursor}
      handle={handle}
      rowPx={withNames ? NAMED_PX : ROW_PX}
      headPx={0}
      head={undefined}
      onClick={click}
      onEnd={onEnd}
      row={(row, place) => (
        <Row
          run={row as Run}
          projectId={projectId}
          search={search}
          place={place}
          withNames={withNames}
          isOpen={row.id === openId}
          isFocused={row.id === cursor.focusedId}
        />
      )}
    />
  )
}

interface RowProps {
  run: Run
  projectId: string
  search: RunSearch
  place: number
  withNames: boolean
  isOpen: boolean
  isFocused: boolean
}

function Row({ run, projectId, search, place, withNames, isOpen, isFocused }: RowProps) {
  const at = run.started_at ?? run.created_at
  const when = useTicking(() => (run.status === 'running' ? 'Now' : runTimeOf(at)))
  const ms = durationMs(run, useNow(run.status === 'running'))
  return (
    <GridRow
      id={run.id}
      place={place}
      isFocused={isFocused}
      isSelected={isOpen}
      className={cx(css.row, withNames && css.named, isOpen && css.open)}
    >
      <GridCell>
        <RunSign status={run.status} isWaiting={run.proposed_count > 0} />
      </GridCell>
      <GridCell className={css.words}>
        <span className={css.line}>
          <Link
            to="/p/$projectId/automations/runs/$runId"
            params={{ projectId, runId: run.id }}
            search={search}
            className={css.when}
            tabIndex={-1}
            aria-label={`${run.automation_name}, ${when}`}
          >
            {when}
          </Link>
          <span>{ms !== undefined && durationOf(ms)}</span>
        </span>
        {withNames && <span className={css.name}>{run.automation_name}</span>}
        <span className={cx(css.outcome, run.status === 'failed' && css.red, run.proposed_count > 0 && css.amber)}>
          <TriggerIcon type={run.trigger_type} size={14} />
          <span>{outcomeOf(run)}</span>
        </span>
      </GridCell>
    </GridRow>
  )
}
