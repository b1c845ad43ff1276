import { memo } from 'react'
import { cx } from '../../lib/cx.ts'
import { dayOf } from '../../lib/time.ts'
import { Avatar, shownName } from '../../people/Avatar.tsx'
import { CheckMark } from '../../ui/Checkbox.tsx'
import { Chip, Dot, LabelChip } from '../../ui/Chip.tsx'
import { IconMessage2 } from '../../ui/icons.ts'
import { GridCell, GridRow } from '../../ui/list/grid.tsx'
import { PriorityBars } from '../../ui/PriorityBars.tsx'
import { StatusRing } from '../../ui/StatusRing.tsx'
import { ClaimChip } from '../claims.tsx'
import { MenuDots } from '../MenuDots.tsx'
import { PhaseChip } from '../PhaseChip.tsx'
import { RowWriteNote, RowWrites } from '../RowWrites.tsx'
import { codeOf, PRIORITY_NAMES, phaseName, STATUS_NAMES, type WorkOrderRow } from '../work-order.ts'
import css from './Row.module.css'

const MAX_LABELS = 3

interface Props {
  row: WorkOrderRow
  projectId: string
  selected: boolean
  focused: boolean
  failed: boolean
  /** Whether a change of it is not saved yet. */
  unsaved: boolean
  mayWrite: boolean
  /** When the day began. The row is drawn again when it ends. */
  today: number
  /** Its place among the lines of the grid. */
  place: number
}

/**
 * One work order in the table. Each value opens its own list; the table listens for all rows and reads `data-cell`. Rows
 * appear by the dozen while someone scrolls, so a row subscribes to nothing and holds no functions.
 */
export const Row = memo(function Row(props: Props) {
  const { row, projectId, selected, focused, failed, unsaved, mayWrite, today, place } = props
  return (
    <GridRow
      id={row.id}
      place={place}
      isFocused={focused}
      isSelected={selected}
      className={cx(css.row, selected && css.selected, focused && css.focused, failed && css.failed)}
    >
      <GridCell>
        <button
          type="button"
          aria-pressed={selected}
          aria-label={`Select ${codeOf(row)}`}
          className={css.box}
          data-cell="select"
        >
          <CheckMark checked={selected} outlined />
        </button>
      </GridCell>
      <GridCell>
        <button
          type="button"
          className={css.sign}
          data-cell="priority"
          disabled={!mayWrite}
          aria-label={`Priority: ${PRIORITY_NAMES[row.priority]}`}
        >
          <PriorityBars priority={row.priority} />
        </button>
      </GridCell>
      <GridCell className={css.code}>{codeOf(row)}</GridCell>
      <GridCell>
        <button
          type="button"
          className={css.sign}
          data-cell="status"
          disabled={!mayWrite}
          aria-label={`Status: ${STATUS_NAMES[row.status]}`}
        >
          <StatusRing status={row.status} />
        </button>
      </GridCell>
      <GridCell>
        <a
          href={`/p/${projectId}/work-orders/${row.work_order_number}`}
          className={css.title}
          data-cell="title"
          dir="auto"
        >
          {row.title}
        </a>
        <ClaimChip row={row} projectId={projectId} />
        {unsaved && <RowWrites id={row.id} />}
      </GridCell>
      {(row.labels.length > 0 || row.phase) && (
        <GridCell>
          <Chips row={row} mayWrite={mayWrite} />
        </GridCell>
      )}
      {row.comment_count !== undefined && (
        <GridCell className={css.comments}>
          {row.comment_count > 0 && (
            <>
              <IconMessage2 size={14} stroke={1.75} />
              {row.comment_count}
            </>
          )}
        </GridCell>
      )}
      {row.updated_at && (
        <GridCell>
          <time className={css.time} dateTime={row.updated_at}>
            {dayOf(row.updated_at, new Date(today))}
          </time>
        </GridCell>
      )}
      <GridCell>
        <button
          type="button"
          aria-label={`Assignee: ${row.assignee ? shownName(row.assignee) : 'nobody'}`}
          className={css.person}
          data-cell="assignee"
          disabled={!mayWrite}
        >
          <Avatar person={row.assignee} />
        </button>
      </GridCell>
    </GridRow>
  )
})

const Chips = ({ row, mayWrite }: Pick<Props, 'row' | 'mayWrite'>) => (
  <span className={css.chips}>
    {row.labels.slice(0, MAX_LABELS).map((label) => (
      <button key={label.id} type="button" data-cell="label" disabled={!mayWrite} aria-label={`Label: ${label.title}`}>
        <LabelChip label={label} />
      </button>
    ))}
    {row.labels.length > MAX_LABELS && <Chip>+{row.labels.length - MAX_LABELS}</Chip>}
    {row.phase && (
      <button type="button" data-cell="phase" disabled={!mayWrite} aria-label={`Phase: ${phaseName(row.phase)}`}>
        <PhaseChip phase={row.phase} />
      </button>
    )}
  </span>
)

interface NarrowProps extends Pick<Props, 'row' | 'projectId' | 'selected'> {
  /** Some are selected, so a tap selects this one too. */
  selecting: boolean
}

/** The same on a narrow screen: two lines that open the work order, and a button for all else. */
export const NarrowRow = memo(function NarrowRow({ row, projectId, selected, selecting }: NarrowProps) {
  const label = row.labels[0]
  return (
    <div className={cx(css.narrow, selected && css.selected)} data-row={row.id}>
      <a
        href={`/p/${projectId}/work-orders/${row.work_order_number}`}
        className={css.narrowLink}
        data-cell={selecting ? 'select' : 'title'}
        {...(selecting && { role: 'checkbox', 'aria-checked': selected })}
      >
        <span className={css.sign}>
          {selecting ? <CheckMark checked={selected} outlined /> : <StatusRing status={row.status} />}
        </span>
        <span className={css.narrowText}>
          <span className={css.narrowTitle} dir="auto">
            {row.title}
          </span>
          <span className={css.narrowLine}>
            <PriorityBars priority={row.priority} size={14} />
            {codeOf(row)}
            <ClaimChip row={row} projectId={projectId} />
            <RowWriteNote id={row.id} />
            {label && (
              <span className={css.narrowLabel}>
                <Dot color={label.color} />
                <span>{label.title}</span>
              </span>
            )}
            {row.comment_count ? (
              <span>
                <IconMessage2 size={13} stroke={1.75} />
                {row.comment_count}
              </span>
            ) : null}
          </span>
        </span>
        <span className={css.narrowAvatar}>
          <Avatar person={row.assignee} size={24} />
        </span>
      </a>
      <MenuDots row={row} className={css.narrowMenu} data-cell="menu" />
    </div>
  )
})
