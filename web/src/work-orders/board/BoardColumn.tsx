import { useDroppable } from '@dnd-kit/core'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type FocusEvent, type KeyboardEvent, useCallback, useEffect, useRef } from 'react'
import { cx } from '../../lib/cx.ts'
import { useMayWrite } from '../../lib/may-write.ts'
import { IconButton } from '../../ui/Button.tsx'
import { IconPlus } from '../../ui/icons.ts'
import { StatusRing } from '../../ui/StatusRing.tsx'
import { openCreate } from '../create/open-create.ts'
import { type CardPart, STATUS_NAMES, type Status, type WorkOrderRow } from '../work-order.ts'
import css from './Board.module.css'
import { Card, CardFace } from './Card.tsx'
import { ColumnMenu } from './ColumnMenu.tsx'

const CARD_PX = 92
const GAP_PX = 8
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
  const scroller = useRef<HTMLDivElement>(null)
  const slot = isTarget ? shown.findIndex(({ id }) => id === draggedId) : -1
  const virtual = useVirtualizer({
    count: collapsed ? 0 : shown.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => CARD_PX,
    getItemKey: useCallback((index: number) => shown[index]!.id, [shown]),
    gap: GAP_PX,
    overscan: 6,
  })
  const items = virtual.getVirtualItems()
  // The order decides where a card comes to stand, which may be out of view.
  useEffect(() => {
    if (slot >= 0) virtual.scrollToIndex(slot, { align: 'auto' })
  }, [slot, virtual])
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
        title={`Expand ${name}`}
        onClick={turn(props.onOpen)}
      >
        <StatusRing status={status} />
        <span className="sr-only">Expand </span>
        <span className={css.upright}>{name}</span>
        <span>{rows.length}</span>
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
      <div ref={scroller} className={css.cards}>
        <div className={css.canvas} style={{ height: virtual.getTotalSize() }}>
          <div className={css.inView} style={{ transform: `translateY(${items[0]?.start ?? 0}px)` }}>
            {items.map(({ index, key }) => {
              const row = shown[index]!
              return (
                <div key={key} ref={virtual.measureElement} data-index={index}>
                  {index === slot ? (
                    <div className={css.slot}>
                      <CardFace row={row} projectId={project.id} shows={shows} />
                    </div>
                  ) : (
                    <Card
                      row={row}
                      projectId={project.id}
                      shows={shows}
                      selected={selected.has(row.id)}
                      lifted={row.id === draggedId}
                      onPress={onPress}
                      onLeave={onLeave}
                    />
                  )}
                </div>
              )
            })}
          </div>
        </div>
        {mayWrite && rows.length < LONG && (
          <button type="button" className={css.more} onClick={create}>
            <IconPlus size={16} stroke={1.75} /> New work order
          </button>
        )}
      </div>
    </section>
  )
}
