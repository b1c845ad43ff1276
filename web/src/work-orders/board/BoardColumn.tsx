import { useDroppable } from '@dnd-kit/core'
import { type FocusEvent, type KeyboardEvent, useState } from 'react'
import { openCreate } from '../../app/overlays.ts'
import { cx } from '../../lib/cx.ts'
import { IconButton } from '../../ui/Button.tsx'
import { IconChevronsUp, IconPlus } from '../../ui/icons.ts'
import { StatusRing } from '../../ui/StatusRing.tsx'
import { STATUS_NAMES, type Status, type WorkOrderRow } from '../work-order.ts'
import css from './Board.module.css'
import { Card } from './Card.tsx'

const FIRST_SHOWN = 60

interface Props {
  status: Status
  rows: WorkOrderRow[]
  count: number
  projectId: string
  collapsed: boolean
  isTarget: boolean
  draggedId: string | undefined
  onOpen(): void
  onFold(): void
  onPress(event: KeyboardEvent, row: WorkOrderRow, from: string): void
  onLeave(event: FocusEvent): void
}

export function BoardColumn(props: Props) {
  const { status, rows, count, projectId, collapsed, isTarget, draggedId, onOpen, onFold, onPress, onLeave } = props
  const { setNodeRef } = useDroppable({ id: status })
  const [limit, setLimit] = useState(FIRST_SHOWN)
  const name = STATUS_NAMES[status]
  if (collapsed)
    return (
      <button ref={setNodeRef} type="button" className={cx(css.collapsed, isTarget && css.target)} onClick={onOpen}>
        <StatusRing status={status} />
        <span>{count}</span>
        <span className={css.upright}>{name}</span>
      </button>
    )
  return (
    <section ref={setNodeRef} className={cx(css.column, isTarget && css.target)} aria-label={name} data-column={status}>
      <header className={css.head}>
        <StatusRing status={status} />
        {name} <span className={css.count}>{count}</span>
        <span className={css.grow} />
        <IconButton label={`New work order in ${name}`} small onClick={() => openCreate({ values: { status } })}>
          <IconPlus size={16} stroke={1.75} />
        </IconButton>
        <IconButton label={`Collapse ${name}`} small className={css.foldButton} onClick={onFold}>
          <IconChevronsUp size={15} stroke={1.75} />
        </IconButton>
      </header>
      <div className={css.cards}>
        {rows
          .slice(0, limit)
          .map((row) =>
            isTarget && row.id === draggedId ? (
              <div key="slot" className={css.slot} />
            ) : (
              <Card
                key={row.id}
                row={row}
                projectId={projectId}
                lifted={row.id === draggedId}
                onPress={onPress}
                onLeave={onLeave}
              />
            ),
          )}
        {rows.length > limit && (
          <button type="button" className={css.more} onClick={() => setLimit(limit + FIRST_SHOWN)}>
            Show {Math.min(FIRST_SHOWN, rows.length - limit)} more
          </button>
        )}
        {rows.length === 0 && (
          <button type="button" className={css.more} onClick={() => openCreate({ values: { status } })}>
            <IconPlus size={16} stroke={1.75} /> New work order
          </button>
        )}
      </div>
    </section>
  )
}
