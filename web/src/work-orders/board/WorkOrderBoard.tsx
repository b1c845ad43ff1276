import {
  closestCenter,
  DndContext,
  type DragEndEvent,
  type DragOverEvent,
  DragOverlay,
  KeyboardSensor,
  MouseSensor,
  pointerWithin,
  TouchSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import { useRouteContext, useSearch } from '@tanstack/react-router'
import { useMemo, useRef, useState } from 'react'
import { editWorkOrders } from '../edits.ts'
import { sortRows } from '../rows.ts'
import { codeOf, DEFAULT_SORT, STATUS_NAMES, type Status, type WorkOrderRow } from '../work-order.ts'
import css from './Board.module.css'
import { BoardColumn } from './BoardColumn.tsx'
import { CardFace } from './Card.tsx'
import { columnByArrow } from './column-by-arrow.ts'

const COLUMNS: Status[] = ['backlog', 'ready', 'in_progress', 'in_review', 'blocked', 'completed']
const OPEN_AFTER_MS = 600

/** Columns by status. A card that is dropped on a column takes its status. */
export default function WorkOrderBoard({ rows }: { rows: WorkOrderRow[] }) {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const sort = useSearch({ from: '/signed-in/p/$projectId/work-orders' }).sort ?? DEFAULT_SORT
  const [collapsed, setCollapsed] = useState<ReadonlySet<Status>>(new Set<Status>(['backlog', 'completed']))
  const [dragged, setDragged] = useState<WorkOrderRow>()
  const [over, setOver] = useState<Status>()
  const opening = useRef<ReturnType<typeof setTimeout>>(undefined)
  const sensors = useSensors(
    useSensor(MouseSensor, { activationConstraint: { distance: 5 } }),
    useSensor(TouchSensor, { activationConstraint: { delay: 180, tolerance: 8 } }),
    useSensor(KeyboardSensor, { coordinateGetter: columnByArrow, keyboardCodes: KEYS }),
  )
  const byStatus = useMemo(() => Map.groupBy(rows, ({ status }) => status), [rows])
  const open = (status: Status) => setCollapsed((old) => new Set([...old].filter((one) => one !== status)))
  const fold = (status: Status) => setCollapsed((old) => new Set(old).add(status))

  const follow = ({ over: target }: DragOverEvent) => {
    const status = target?.id as Status | undefined
    setOver(status)
    clearTimeout(opening.current)
    if (status && collapsed.has(status)) opening.current = setTimeout(() => open(status), OPEN_AFTER_MS)
  }
  const stop = () => {
    clearTimeout(opening.current)
    setDragged(undefined)
    setOver(undefined)
  }
  const drop = ({ over: target }: DragEndEvent) => {
    const row = dragged
    const status = target?.id as Status | undefined
    stop()
    if (!row || !status || status === row.status) return
    void editWorkOrders(project.id, `status ${STATUS_NAMES[status]}`, [{ row, fields: { status }, shows: { status } }])
  }

  return (
    <DndContext
      sensors={sensors}
      collisionDetection={(args) => (args.pointerCoordinates ? pointerWithin(args) : closestCenter(args))}
      onDragStart={({ active }) => setDragged(rows.find(({ id }) => id === active.id))}
      onDragOver={follow}
      onDragEnd={drop}
      onDragCancel={stop}
      accessibility={{ announcements: announce(rows) }}
    >
      <div className={css.board}>
        {COLUMNS.map((status) => {
          const own = byStatus.get(status) ?? []
          const isTarget = dragged && over === status && dragged.status !== status
          const shown = isTarget ? sortRows([...own, { ...dragged, status }], sort) : own
          return (
            <BoardColumn
              key={status}
              status={status}
              rows={shown}
              count={own.length}
              projectId={project.id}
              collapsed={collapsed.has(status)}
              isTarget={Boolean(isTarget)}
              draggedId={dragged?.id}
              onOpen={() => open(status)}
              onFold={() => fold(status)}
            />
          )
        })}
      </div>
      <DragOverlay dropAnimation={null}>
        {dragged && (
          <div className={css.lifted}>
            <CardFace row={dragged} />
          </div>
        )}
      </DragOverlay>
    </DndContext>
  )
}

const KEYS = { start: ['Space'], cancel: ['Escape'], end: ['Space', 'Enter'] }

function announce(rows: WorkOrderRow[]) {
  const name = (id: unknown) => {
    const row = rows.find((one) => one.id === id)
    return row ? codeOf(row) : 'The card'
  }
  const column = (id: unknown) => STATUS_NAMES[id as Status]
  return {
    onDragStart: ({ active }: { active: { id: unknown } }) => `${name(active.id)} is lifted. Arrow keys move it.`,
    onDragOver: ({ active, over }: { active: { id: unknown }; over: { id: unknown } | null }) =>
      over ? `${name(active.id)} is over ${column(over.id)}.` : undefined,
    onDragEnd: ({ active, over }: { active: { id: unknown }; over: { id: unknown } | null }) =>
      over ? `${name(active.id)} is in ${column(over.id)}.` : `${name(active.id)} is back.`,
    onDragCancel: ({ active }: { active: { id: unknown } }) => `${name(active.id)} is back.`,
  }
}
