import { useDraggable, useDroppable } from '@dnd-kit/core'
import { type FocusEvent, type KeyboardEvent, useState } from 'react'
import { cx } from '../../lib/cx.ts'
import { useMayWrite } from '../../lib/may-write.ts'
import { useStore } from '../../lib/store.ts'
import { Avatar, type Person } from '../../people/Avatar.tsx'
import { IconButton } from '../../ui/Button.tsx'
import { NumberMark } from '../../ui/Chip.tsx'
import { Shares } from '../../ui/charts.tsx'
import { IconChevronDown, IconChevronRight, IconCircleDashed, IconGripVertical, IconPlus } from '../../ui/icons.ts'
import { StatusRing } from '../../ui/StatusRing.tsx'
import { openCreate } from '../create/open-create.ts'
import { NONE } from '../properties.tsx'
import { isNew, type Phase, STATUS_NAMES, type Status, type WorkOrderRow } from '../work-order.ts'
import { foldedLanes, foldLane } from './folding.ts'
import { LaneMenu, RenamePhase } from './LaneMenu.tsx'
import { LaneRow } from './LaneRow.tsx'
import css from './Phases.module.css'

const FIRST_SHOWN = 8
const MORE = 50
const LEFT: Status[] = ['in_review', 'in_progress', 'blocked', 'ready', 'backlog']
const COLORS: Record<Status, string> = {
  completed: 'var(--green)',
  in_review: 'var(--violet)',
  in_progress: 'var(--amber)',
  blocked: 'var(--red)',
  ready: 'var(--blue)',
  backlog: 'var(--line-strong)',
}

interface Props {
  phase: Phase | undefined
  rows: WorkOrderRow[]
  projectId: string
  isTarget: boolean
  draggedId: string | undefined
  isLifted: boolean
  /** A lane that is dragged would come to stand here. */
  isSlot: boolean
  showsCompleted: boolean
  isFirst: boolean
  isLast: boolean
  onRowPress(event: KeyboardEvent, row: WorkOrderRow, from: string): void
  onLanePress(event: KeyboardEvent): void
  onLeave(event: FocusEvent): void
  onLaneLeave(event: FocusEvent): void
  onMove: ((by: number) => void) | undefined
  onDelete: (() => void) | undefined
}

export function Lane(props: Props) {
  const { phase, rows, projectId, isTarget, draggedId, isLifted, isSlot, onRowPress, onLeave } = props
  const { setNodeRef } = useDroppable({ id: phase?.id ?? NONE })
  const handle = useDraggable({ id: `lane-${phase?.id ?? NONE}`, disabled: !phase || isNew(phase) })
  const [isRenamed, setIsRenamed] = useState(false)
  const mayWrite = useMayWrite()
  const isStored = phase !== undefined && !isNew(phase)
  const completed = rows.filter(({ status }) => status === 'completed').length
  const left = rows.filter(({ status }) => status !== 'completed')
  const listed = props.showsCompleted ? rows : left
  const key = phase?.id ?? NONE
  const folded = useStore(foldedLanes).get(key) ?? (rows.length > 0 && left.length === 0)
  const [limit, setLimit] = useState(FIRST_SHOWN)
  const counts = Map.groupBy(rows, ({ status }) => status)
  const percent = rows.length === 0 ? 0 : Math.round((completed / rows.length) * 100)
  const head = (
    <>
      {mayWrite && isStored && (
        <button
          type="button"
          ref={handle.setNodeRef}
          className={css.laneGrip}
          {...handle.attributes}
          {...handle.listeners}
          data-grip={phase.id}
          aria-label={`Move the phase ${phase.title}`}
          onKeyDown={props.onLanePress}
          onBlur={props.onLaneLeave}
        >
          <IconGripVertical size={14} stroke={1.75} />
        </button>
      )}
      <button
        type="button"
        className={css.fold}
        aria-expanded={!folded}
        aria-label={`${phase?.title ?? 'No phase'}, ${folded ? 'folded' : 'open'}`}
        onClick={() => foldLane(key, !folded)}
      >
        {folded ? <IconChevronRight size={15} stroke={1.75} /> : <IconChevronDown size={15} stroke={1.75} />}
        {phase ? <NumberMark>{phase.phase_number}</NumberMark> : <IconCircleDashed size={16} stroke={1.75} />}
        {!isRenamed && (phase?.title ?? 'No phase')}
      </button>
      {phase && isRenamed && <RenamePhase phase={phase} projectId={projectId} onClose={() => setIsRenamed(false)} />}
      {mayWrite && !folded && !isRenamed && (isStored || !phase) && (
        <IconButton
          label={`New work order in ${phase?.title ?? 'no phase'}`}
          small
          onClick={() => openCreate(phase ? { values: { phase } } : {})}
        >
          <IconPlus size={16} stroke={1.75} />
        </IconButton>
      )}
    </>
  )
  const menu = mayWrite && isStored && (
    <LaneMenu
      name={phase.title}
      isFirst={props.isFirst}
      isLast={props.isLast}
      onRename={() => setIsRenamed(true)}
      onMove={props.onMove!}
      onDelete={props.onDelete!}
    />
  )
  const meter = (
    <Shares
      label="Work orders by status"
      parts={(['completed', ...LEFT] as Status[]).map((status) => ({
        name: STATUS_NAMES[status],
        count: counts.get(status)?.length ?? 0,
        color: COLORS[status],
      }))}
      className={css.meter}
    />
  )
  const sum = phase ? (
    <p className={css.sum}>
      <strong>{percent} %</strong> {completed} of {rows.length} completed
    </p>
  ) : (
    <p className={css.sum}>Not planned yet</p>
  )
  if (folded)
    return (
      <section
        ref={setNodeRef}
        className={cx(css.lane, css.folded, isTarget && css.target, isLifted && css.liftedLane, isSlot && css.slotLane)}
      >
        {head}
        {phase && meter}
        {sum}
        <span className={css.grow} />
        {peopleOf(rows).map((person) => (
          <Avatar key={person.id} person={person} />
        ))}
        {menu}
      </section>
    )
  return (
    <section
      ref={setNodeRef}
      className={cx(css.lane, isTarget && css.target, isLifted && css.liftedLane, isSlot && css.slotLane)}
      aria-label={phase?.title ?? 'No phase'}
    >
      <div className={css.side}>
        <header className={css.head}>
          {head}
          {menu}
        </header>
        {sum}
        {phase && rows.length > 0 && meter}
        <ul className={css.counts}>
          {LEFT.filter((status) => counts.has(status)).map((status) => (
            <li key={status}>
              <StatusRing status={status} size={14} />
              {STATUS_NAMES[status]}
              <strong>{counts.get(status)!.length}</strong>
            </li>
          ))}
        </ul>
      </div>
      <div className={css.rows} data-place={phase?.id ?? ''}>
        {isTarget && <div className={css.slot} />}
        {listed.slice(0, limit).map((row) => (
          <LaneRow
            key={row.id}
            row={row}
            projectId={projectId}
            lifted={row.id === draggedId}
            onPress={onRowPress}
            onLeave={onLeave}
          />
        ))}
        {listed.length > limit && (
          <button type="button" className={css.more} onClick={() => setLimit(limit + MORE)}>
            <IconChevronDown size={15} stroke={1.75} /> Show {Math.min(MORE, listed.length - limit)} more
          </button>
        )}
        {listed.length === 0 && (
          <p className={css.none}>{rows.length === 0 ? 'Nothing is planned here.' : 'All is done.'}</p>
        )}
      </div>
    </section>
  )
}

function peopleOf(rows: WorkOrderRow[]): Person[] {
  const people = new Map(rows.flatMap(({ assignee }) => (assignee ? [[assignee.id, assignee] as const] : [])))
  return [...people.values()].slice(0, 4)
}
