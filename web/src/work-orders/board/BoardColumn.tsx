import { useDroppable } from '@dnd-kit/core'
import { type FocusEvent, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { cx } from '../../lib/cx.ts'
import { useMayWrite } from '../../lib/may-write.ts'
import { useSeen } from '../../lib/use-seen.ts'
import { IconButton } from '../../ui/Button.tsx'
import { IconPlus } from '../../ui/icons.ts'
import { StatusRing } from '../../ui/StatusRing.tsx'
import { openCreate } from '../create/open-create.ts'
import { type CardPart, STATUS_NAMES, type Status, type WorkOrderRow } from '../work-order.ts'
import css from './Board.module.css'
import { Card, CardFace } from './Card.tsx'
import { ColumnMenu } from './ColumnMenu.tsx'

const FIRST_SHOWN = 60
/** A column with fewer cards has room to offer a new one below them. */
const LONG = 5

interface Props {
  status: Status
  rows: WorkOrderRow[]
  /** The same rows, with the one that may be dropped among them. */
  shown: WorkOrderRow[]
  project: { id: string; name: string }
  shows: ReadonlySet<CardPart>
  selected: ReadonlySet<string>
  collapsed: boolean
  isTarget: boolean
  draggedId: string | undefined
  onOpen(): void
  onFold(): void
  onPress(event: KeyboardEvent, row: WorkOrderRow, from: string): void
  onLeave(event: FocusEvent): void
}

export function BoardColumn(props: Props) {
  const { status, rows, shown, project, shows, selected, collapsed, isTarget, draggedId, onPress, onLeave } = props
  const { setNodeRef, node } = useDroppable({ id: status })
  const mayWrite = useMayWrite()
  const [limit, setLimit] = useState(FIRST_SHOWN)
  const isSwitched = useRef(false)
  const name = STATUS_NAMES[status]
  const create = () => openCreate({ values: { status } })
  const turn = (run: () => void) => () => {
    isSwitched.current = true
    run()
  }
  // The button that folded or opened it is gone, so what takes its place gets the focus.
  useEffect(() => {
    if (!isSwitched.current) return
    isSwitched.current = false
    const next = collapsed ? node.current : node.current?.querySelector('button')
    next?.focus()
  }, [collapsed, node])
  if (collapsed)
    return (
      <button
        ref={setNodeRef}
        type="button"
        className={cx(css.collapsed, isTarget && css.target)}
        aria-label={`Expand ${name}, ${rows.length}`}
        title={`Expand ${name}`}
        onClick={turn(props.onOpen)}
      >
        <StatusRing status={status} />
        <span>{rows.length}</span>
        <span className={css.upright}>{name}</span>
      </button>
    )
  return (
    <section ref={setNodeRef} className={cx(css.column, isTarget && css.target)} aria-label={name} data-place={status}>
      <header className={css.head}>
        <StatusRing status={status} />
        {name} <span className={css.count}>{rows.length}</span>
        <span className={css.grow} />
        {mayWrite && (
          <IconButton label={`New work order in ${name}`} small onClick={create}>
            <IconPlus size={16} stroke={1.75} />
          </IconButton>
        )}
        <ColumnMenu status={status} rows={rows} project={project} selected={selected} onFold={turn(props.onFold)} />
      </header>
      <div className={css.cards}>
        {shown.slice(0, limit).map((row) =>
          isTarget && row.id === draggedId ? (
            <Slot key="slot">
              <CardFace row={row} projectId={project.id} shows={shows} />
            </Slot>
          ) : (
            <Card
              key={row.id}
              row={row}
              projectId={project.id}
              shows={shows}
              selected={selected.has(row.id)}
              lifted={row.id === draggedId}
              onPress={onPress}
              onLeave={onLeave}
            />
          ),
        )}
        {shown.length > limit && (
          <More
            key={limit}
            count={Math.min(FIRST_SHOWN, shown.length - limit)}
            onMore={() => setLimit(limit + FIRST_SHOWN)}
          />
        )}
        {mayWrite && rows.length < LONG && (
          <button type="button" className={css.more} onClick={create}>
            <IconPlus size={16} stroke={1.75} /> New work order
          </button>
        )}
      </div>
    </section>
  )
}

/** Shows the next cards as soon as it comes near. */
function More({ count, onMore }: { count: number; onMore(): void }) {
  const element = useSeen<HTMLButtonElement>(onMore)
  return (
    <button ref={element} type="button" className={css.more} onClick={onMore}>
      Show {count} more
    </button>
  )
}

/** Where the card will be. The order decides about the place, which may be out of view. */
function Slot({ children }: { children: ReactNode }) {
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => void element.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' }), [])
  return (
    <div ref={element} className={css.slot}>
      {children}
    </div>
  )
}
