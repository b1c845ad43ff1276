import { Link } from '@tanstack/react-router'
import { type MouseEvent, type Ref, useMemo } from 'react'
import { PHONE, useWidth } from '../../lib/breakpoints.ts'
import { cx } from '../../lib/cx.ts'
import { inWords } from '../../lib/kinds.ts'
import { countOf, formatCount } from '../../lib/numbers.ts'
import { Avatar } from '../../people/Avatar.tsx'
import { Sparkline } from '../../ui/charts.tsx'
import { IconFileText, IconQuote } from '../../ui/icons.ts'
import { GroupedList } from '../../ui/list/GroupedList.tsx'
import { GridCell, GridRow } from '../../ui/list/grid.tsx'
import type { Cursor, ListHandle } from '../../ui/list/use-cursor.ts'
import { PriorityBars } from '../../ui/PriorityBars.tsx'
import { StatusRing } from '../../ui/StatusRing.tsx'
import type { ThemeRow } from './api.ts'
import { StatusSign, TypeBadge } from './signs.tsx'
import { weeksOf } from './ThemeFigures.tsx'
import css from './ThemeList.module.css'
import { numberOf } from './theme.ts'

const ROW_PX = 58
const NARROW_PX = 76
const NOTHING: ReadonlySet<string> = new Set()

interface Props {
  projectId: string
  rows: ThemeRow[]
  cursor: Cursor
  handle: Ref<ListHandle>
  openId: string | undefined
  onOpen(row: ThemeRow): void
  onEnd(): void
}

export function ThemeList({ projectId, rows, cursor, handle, openId, onOpen, onEnd }: Props) {
  const narrow = useWidth(PHONE)
  const groups = useMemo(() => [{ key: 'all', rows }], [rows])
  const most = Math.max(1, ...rows.slice(0, 1).map(({ people_count }) => people_count))
  const click = (event: MouseEvent) => {
    const id = (event.target as Element).closest<HTMLElement>('[data-row]')?.dataset.row
    const row = rows.find((one) => one.id === id)
    // With a key or another button, the browser opens the address of the link.
    if (!row || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0) return
    event.preventDefault()
    onOpen(row)
  }
  return (
    <div className={css.list}>
      {!narrow && (
        <div className={cx(css.row, css.heads)} aria-hidden="true">
          <span />
          <span>People</span>
          <span>Theme</span>
          <span className={css.type}>Type</span>
          <span />
          <span>Status</span>
          <span className={css.trend}>Trend</span>
          <span className={css.count}>
            <IconQuote size={15} stroke={1.75} />
          </span>
          <span />
        </div>
      )}
      <GroupedList
        label="Themes"
        groups={groups}
        folded={NOTHING}
        cursor={cursor}
        handle={handle}
        rowPx={narrow ? NARROW_PX : ROW_PX}
        headPx={0}
        head={undefined}
        onClick={click}
        onEnd={onEnd}
        row={(row, place) => (
          <Row
            row={row}
            projectId={projectId}
            place={place}
            most={most}
            isFocused={cursor.focusedId === row.id}
            isOpen={openId === row.id}
          />
        )}
      />
    </div>
  )
}

interface RowProps {
  row: ThemeRow
  projectId: string
  place: number
  most: number
  isFocused: boolean
  isOpen: boolean
}

function Row({ row, projectId, place, most, isFocused, isOpen }: RowProps) {
  const [first] = row.work_orders
  return (
    <GridRow
      id={row.id}
      place={place}
      isFocused={isFocused}
      className={cx(css.row, css.theme, isFocused && css.focused, isOpen && css.open)}
    >
      <GridCell className={css.place}>{formatCount(place)}</GridCell>
      <GridCell className={css.people}>
        <span className="sr-only">{countOf(row.people_count, 'person', 'people')}</span>
        <strong aria-hidden="true">{formatCount(row.people_count)}</strong>
        <span className={css.share} style={{ width: `${Math.max(4, (row.people_count / most) * 100)}%` }} />
      </GridCell>
      <GridCell className={css.names}>
        <Link
          to="/p/$projectId/feedback/themes/$number"
          params={{ projectId, number: numberOf(row) }}
          className={css.title}
          tabIndex={-1}
          dir="auto"
        >
          {row.title}
        </Link>
        <span className={css.links}>
          <span>{row.display_id}</span>
          {row.feature ? (
            <span className={css.feature}>
              <IconFileText size={14} stroke={1.75} />
              <span>{row.feature.title}</span>
            </span>
          ) : (
            <span>no feature yet</span>
          )}
          {first && (
            <span className={css.work}>
              <StatusRing status={first.status} size={13} />
              {first.display_id}
              {row.linked_work_order_count > 1 && ` +${row.linked_work_order_count - 1}`}
            </span>
          )}
        </span>
      </GridCell>
      <GridCell className={css.type}>
        <TypeBadge type={row.type} />
      </GridCell>
      <GridCell className={css.priority}>
        <span className="sr-only">{inWords(row.priority)}</span>
        <PriorityBars priority={row.priority} />
      </GridCell>
      <GridCell className={css.status}>
        <StatusSign status={row.status} />
        <span>{inWords(row.status)}</span>
      </GridCell>
      <GridCell className={css.trend}>
        <Sparkline label="Reports per week" values={weeksOf(row)} isFilled />
      </GridCell>
      <GridCell className={css.count}>{formatCount(row.quote_count)}</GridCell>
      <GridCell className={css.owner}>
        <Avatar person={row.assignee} />
      </GridCell>
    </GridRow>
  )
}
