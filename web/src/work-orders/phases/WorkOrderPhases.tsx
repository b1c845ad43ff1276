import {
  DndContext,
  type DragEndEvent,
  DragOverlay,
  MouseSensor,
  pointerWithin,
  TouchSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import { useRouteContext, useSearch } from '@tanstack/react-router'
import { useEffect, useMemo, useState } from 'react'
import { useMayWrite } from '../../lib/may-write.ts'
import { NumberMark } from '../../ui/Chip.tsx'
import { UnsavedChanges } from '../../ui/Unsaved.tsx'
import { useRowMenu } from '../batch/use-row-menu.tsx'
import { editWorkOrders } from '../edits.ts'
import { announcementsOf } from '../moves.ts'
import { NONE } from '../properties.tsx'
import { useCardKeys } from '../use-card-keys.ts'
import { useKeyboardMove } from '../use-keyboard-move.ts'
import { codeOf, isNew, type Phase, phaseName, type WorkOrderRow } from '../work-order.ts'
import { DeletePhase } from './DeletePhase.tsx'
import { PHASES, reorderPhases } from './edits.ts'
import { Lane } from './Lane.tsx'
import { LaneRowFace } from './LaneRow.tsx'
import { NewPhase } from './NewPhase.tsx'
import css from './Phases.module.css'

type Dragged = { row: WorkOrderRow } | { lane: Phase }

/** One lane a phase, with how far it is. A row that is dropped on a lane moves to its phase. */
export default function WorkOrderPhases({ rows, phases }: { rows: WorkOrderRow[]; phases: Phase[] }) {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const { completed } = useSearch({ from: '/signed-in/p/$projectId/work-orders' })
  const [dragged, setDragged] = useState<Dragged>()
  const [over, setOver] = useState<string>()
  const [deleted, setDeleted] = useState<Phase>()
  const byPhase = useMemo(() => Map.groupBy(rows, ({ phase }) => phase?.id ?? NONE), [rows])
  const sensors = useSensors(
    useSensor(MouseSensor, { activationConstraint: { distance: 5 } }),
    useSensor(TouchSensor, { activationConstraint: { delay: 180, tolerance: 8 } }),
  )
  // A phase that waits to be created has no place on the server yet.
  const ids = phases.filter((one) => !isNew(one)).map(({ id }) => id)
  const placeName = (id: string) => {
    const phase = phases.find((one) => one.id === id)
    return phase ? phaseName(phase) : 'no phase'
  }
  const moveRow = (row: WorkOrderRow, target: string) => {
    if (target === (row.phase?.id ?? NONE) || (target !== NONE && !ids.includes(target))) return
    const phase = phases.find(({ id }) => id === target) ?? null
    const summary = phase ? `phase ${phaseName(phase)}` : 'no phase'
    void editWorkOrders(project.id, summary, [{ row, fields: { phase_id: phase?.id ?? null }, shows: { phase } }])
  }
  const moveLane = (lane: Phase, to: number) => {
    const next = moved(ids, lane.id, to)
    if (next.join() !== ids.join()) reorderPhases(project.id, next)
  }
  const rowKeys = useKeyboardMove<WorkOrderRow>({
    places: [...ids, NONE],
    keys: { back: 'ArrowUp', forth: 'ArrowDown' },
    nameOf: rowName,
    placeName,
    onDrop: moveRow,
  })
  const announcements = announcementsOf((id) => {
    const row = rows.find((one) => one.id === id)
    return row ? rowName(row) : placeName(id.replace('lane-', ''))
  }, placeName)
  const laneKeys = useKeyboardMove<Phase>({
    places: ids.map((_, index) => String(index)),
    keys: { back: 'ArrowUp', forth: 'ArrowDown' },
    nameOf: ({ title }) => title,
    placeName: (place) => `place ${Number(place) + 1}`,
    onDrop: (lane, place) => moveLane(lane, Number(place)),
  })
  const liftedLane = laneKeys.lifted
  const order = liftedLane ? moved(ids, liftedLane.item.id, Number(liftedLane.place)) : ids
  // Moving an element in the page takes the focus from it.
  useEffect(() => {
    if (liftedLane) document.querySelector<HTMLElement>(`[data-grip="${liftedLane.item.id}"]`)?.focus()
  }, [liftedLane])

  const rowAt = (element: Element | null) => {
    const id = element?.closest<HTMLElement>('[data-row]')?.dataset.row
    return rows.find((one) => one.id === id)
  }
  useCardKeys()
  const mayWrite = useMayWrite()
  const findTargets = () => {
    const row = rowAt(document.activeElement)
    return { rows: row ? [row] : [], beside: document.activeElement }
  }
  const { open: openMenu, menu } = useRowMenu(rows, findTargets, false)

  const stop = () => {
    setDragged(undefined)
    setOver(undefined)
  }
  const drop = ({ over: target }: DragEndEvent) => {
    const what = dragged
    stop()
    if (!what || !target) return
    if ('row' in what) moveRow(what.row, String(target.id))
    else if (ids.includes(String(target.id))) moveLane(what.lane, ids.indexOf(String(target.id)))
  }
  const draggedRow = dragged && 'row' in dragged ? dragged.row : rowKeys.lifted?.item
  const place = dragged ? over : rowKeys.lifted?.place
  const lanes = [...order.map((id) => phases.find((one) => one.id === id)!), ...phases.filter(isNew), undefined]
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={pointerWithin}
      onDragStart={({ active }) => {
        const lane = phases.find(({ id }) => active.id === `lane-${id}`)
        const row = rows.find(({ id }) => id === active.id)
        setDragged(lane ? { lane } : row && { row })
      }}
      onDragOver={({ over: target }) => setOver(target?.id as string | undefined)}
      onDragEnd={drop}
      onDragCancel={stop}
      accessibility={{ screenReaderInstructions: INSTRUCTIONS, announcements }}
    >
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: buttons turn keys into clicks. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it listens for its rows, which the keys of the menu reach too. */}
      <div
        className={css.lanes}
        onClick={(event) => {
          const dots = (event.target as Element).closest('[data-menu]')
          const row = dots && rowAt(dots)
          if (row) openMenu(row, event)
        }}
        onContextMenu={(event) => {
          const row = rowAt(event.target as Element)
          if (row && !dragged) openMenu(row, event)
        }}
      >
        <UnsavedChanges subject={PHASES} />
        {lanes.map((phase, index) => {
          const key = phase?.id ?? NONE
          return (
            <Lane
              key={key}
              phase={phase}
              rows={byPhase.get(key) ?? []}
              projectId={project.id}
              showsCompleted={completed === 'shown'}
              isTarget={draggedRow !== undefined && place === key && (draggedRow.phase?.id ?? NONE) !== key}
              draggedId={draggedRow?.id}
              isLifted={
                liftedLane?.item.id === key || (dragged !== undefined && 'lane' in dragged && dragged.lane.id === key)
              }
              isSlot={dragged !== undefined && 'lane' in dragged && over === key && phase !== undefined}
              onRowPress={rowKeys.press}
              onLanePress={(event) => phase && laneKeys.press(event, phase, String(index))}
              onLeave={rowKeys.leave}
              onLaneLeave={laneKeys.leave}
              onMove={phase && ((by) => moveLane(phase, index + by))}
              onDelete={phase && (() => setDeleted(phase))}
              isFirst={index === 0}
              isLast={index === ids.length - 1}
            />
          )
        })}
        {mayWrite && <NewPhase number={phases.length + 1} projectId={project.id} />}
      </div>
      <p className="sr-only" role="status" aria-label="Moves between phases">
        {rowKeys.message || laneKeys.message}
      </p>
      <DragOverlay dropAnimation={null}>
        {dragged && (
          <div className={css.lifted}>
            {'row' in dragged ? (
              <LaneRowFace row={dragged.row} projectId={project.id} short />
            ) : (
              <>
                <NumberMark>{dragged.lane.phase_number}</NumberMark>
                <strong>{dragged.lane.title}</strong>
              </>
            )}
          </div>
        )}
      </DragOverlay>
      {menu}
      {deleted && (
        <DeletePhase phase={deleted} phases={phases} projectId={project.id} onClose={() => setDeleted(undefined)} />
      )}
    </DndContext>
  )
}

const rowName = (row: WorkOrderRow) => `${codeOf(row)} ${row.title}`
const INSTRUCTIONS = { draggable: 'Space lifts it; then arrow keys move it and Space drops it.' }

function moved(ids: string[], id: string, to: number): string[] {
  const rest = ids.filter((one) => one !== id)
  return rest.toSpliced(Math.max(0, Math.min(rest.length, to)), 0, id)
}
