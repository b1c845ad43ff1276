import {
  DndContext,
  type DragEndEvent,
  type DragOverEvent,
  DragOverlay,
  MouseSensor,
  pointerWithin,
  TouchSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import { useRouteContext, useSearch } from '@tanstack/react-router'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useStore } from '../../lib/store.ts'
import { BatchBar } from '../batch/BatchBar.tsx'
import { useRowMenu } from '../batch/use-row-menu.tsx'
import { editWorkOrders } from '../edits.ts'
import { announcementsOf } from '../moves.ts'
import { sortRows } from '../rows/rows.ts'
import { readCardParts } from '../search.ts'
import { clearSelection, selection, toggleSelected } from '../selection.ts'
import { useShortcut } from '../shortcuts.ts'
import { moveFocus, useCardKeys } from '../use-card-keys.ts'
import { useKeyboardMove } from '../use-keyboard-move.ts'
import { codeOf, DEFAULT_SORT, STATUS_NAMES, type Status, type WorkOrderRow } from '../work-order.ts'
import css from './Board.module.css'
import { BoardColumn } from './BoardColumn.tsx'
import { CardFace } from './Card.tsx'

const COLUMNS: Status[] = ['backlog', 'ready', 'in_progress', 'in_review', 'blocked', 'completed']
const OPEN_AFTER_MS = 600

const nameOf = (row: WorkOrderRow | undefined) => (row ? `${codeOf(row)} ${row.title}` : 'The card')
const placeName = (place: string) => STATUS_NAMES[place as Status]
const focusedCard = () => document.activeElement?.closest<HTMLElement>('[data-row]')

/** Columns by status. A card that is dropped on a column takes its status. */
export default function WorkOrderBoard({ rows }: { rows: WorkOrderRow[] }) {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const { sort = DEFAULT_SORT, show, beside } = useSearch({ from: '/signed-in/p/$projectId/work-orders' })
  const shows = useMemo(() => readCardParts(show), [show])
  const selected = useStore(selection)
  const chosen = useMemo(() => rows.filter(({ id }) => selected.has(id)), [rows, selected])
  const [collapsed, setCollapsed] = useState<ReadonlySet<Status>>(new Set<Status>(['backlog', 'completed']))
  const [dragged, setDragged] = useState<WorkOrderRow>()
  const [over, setOver] = useState<Status>()
  const opening = useRef<ReturnType<typeof setTimeout>>(undefined)
  const droppedId = useRef<string>(undefined)
  const sensors = useSensors(
    useSensor(MouseSensor, { activationConstraint: { distance: 5 } }),
    useSensor(TouchSensor, { activationConstraint: { delay: 180, tolerance: 8 } }),
  )
  const byStatus = useMemo(() => Map.groupBy(rows, ({ status }) => status), [rows])
  const open = (status: Status) => setCollapsed((old) => new Set([...old].filter((one) => one !== status)))
  const fold = (status: Status) => setCollapsed((old) => new Set(old).add(status))

  const move = (row: WorkOrderRow, status: Status) => {
    if (status === row.status) return
    void editWorkOrders(project.id, `status ${STATUS_NAMES[status]}`, [{ row, fields: { status }, shows: { status } }])
  }
  const announcements = announcementsOf((id) => nameOf(rows.find((row) => row.id === id)), placeName)
  const keyboard = useKeyboardMove<WorkOrderRow>({
    places: COLUMNS,
    keys: { back: 'ArrowLeft', forth: 'ArrowRight' },
    nameOf,
    placeName,
    onDrop(row, place) {
      open(place as Status)
      droppedId.current = row.id
      move(row, place as Status)
    },
  })
  // The card is a new element in its new column.
  useEffect(() => {
    const id = droppedId.current
    const status = id && rows.find((row) => row.id === id)?.status
    const card = status && document.querySelector<HTMLElement>(`[data-place="${status}"] [data-row="${id}"]`)
    if (!card) return
    droppedId.current = undefined
    card.focus()
  }, [rows])

  useCardKeys()
  useShortcut('select', () => {
    const card = focusedCard()
    if (card) toggleSelected(card.dataset.row!)
  })
  useShortcut('back', selected.size > 0 ? clearSelection : undefined)
  const { open: openMenu, menu } = useRowMenu(rows, () => {
    const card = focusedCard()
    const isMeant = ({ id, work_order_number }: WorkOrderRow) =>
      card ? id === card.dataset.row : String(work_order_number) === beside
    const targets = chosen.length > 0 ? chosen : rows.filter(isMeant)
    return { rows: targets, beside: card ?? document.querySelector(`[data-row="${targets[0]?.id}"]`) }
  })

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
    stop()
    if (row && target) move(row, target.id as Status)
  }
  const moved = dragged ?? keyboard.lifted?.item
  const place = dragged ? over : (keyboard.lifted?.place as Status | undefined)

  return (
    <DndContext
      sensors={sensors}
      collisionDetection={pointerWithin}
      onDragStart={({ active }) => setDragged(rows.find(({ id }) => id === active.id))}
      onDragOver={follow}
      onDragEnd={drop}
      onDragCancel={stop}
      accessibility={{ screenReaderInstructions: INSTRUCTIONS, announcements }}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it listens for its cards, which the keys of the menu reach too. */}
      <div
        className={css.board}
        onKeyDown={moveFocus}
        onClick={(event) => {
          const dots = (event.target as Element).closest<HTMLElement>('[data-menu]')
          const row = dots && rows.find((one) => one.id === dots.dataset.menu)
          if (row) openMenu(row, event)
        }}
        onContextMenu={(event) => {
          const id = (event.target as Element).closest<HTMLElement>('[data-row]')?.dataset.row
          const row = rows.find((one) => one.id === id)
          if (row && !dragged) openMenu(row, event)
        }}
      >
        {COLUMNS.map((status) => {
          const own = byStatus.get(status) ?? []
          const isTarget = moved && place === status && moved.status !== status
          const shown = isTarget ? sortRows([...own, { ...moved, status }], sort) : own
          return (
            <BoardColumn
              key={status}
              status={status}
              rows={own}
              shown={shown}
              project={project}
              shows={shows}
              selected={selected}
              collapsed={collapsed.has(status) && !(isTarget && keyboard.lifted)}
              isTarget={Boolean(isTarget)}
              draggedId={moved?.id}
              onOpen={() => open(status)}
              onFold={() => fold(status)}
              onPress={keyboard.press}
              onLeave={keyboard.leave}
            />
          )
        })}
      </div>
      <p className="sr-only" role="status" aria-label="Moves on the board">
        {keyboard.message}
      </p>
      <DragOverlay dropAnimation={null}>
        {dragged && (
          <div className={css.lifted}>
            <CardFace row={dragged} projectId={project.id} shows={shows} />
          </div>
        )}
      </DragOverlay>
      <BatchBar rows={chosen} projectId={project.id} onMore={openMenu} />
      {menu}
    </DndContext>
  )
}

const INSTRUCTIONS = { draggable: 'Enter opens the card. Space lifts it; then arrow keys move it and Space drops it.' }
