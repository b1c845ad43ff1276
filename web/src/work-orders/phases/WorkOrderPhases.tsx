import {
  DndContext,
  type DragEndEvent,
  DragOverlay,
  KeyboardSensor,
  MouseSensor,
  pointerWithin,
  TouchSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import { useRouteContext } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { editWorkOrders } from '../edits.ts'
import { NONE } from '../properties.tsx'
import { type Phase, phaseName, type WorkOrderRow } from '../work-order.ts'
import { Lane } from './Lane.tsx'
import { LaneRowFace } from './LaneRow.tsx'
import { NewPhase } from './NewPhase.tsx'
import css from './Phases.module.css'

/** One lane a phase, with how far it is. A row that is dropped on a lane moves to its phase. */
export default function WorkOrderPhases({ rows, phases }: { rows: WorkOrderRow[]; phases: Phase[] }) {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const [dragged, setDragged] = useState<WorkOrderRow>()
  const [over, setOver] = useState<string>()
  const byPhase = useMemo(() => Map.groupBy(rows, ({ phase }) => phase?.id ?? NONE), [rows])
  const sensors = useSensors(
    useSensor(MouseSensor, { activationConstraint: { distance: 5 } }),
    useSensor(TouchSensor, { activationConstraint: { delay: 180, tolerance: 8 } }),
    useSensor(KeyboardSensor),
  )
  const stop = () => {
    setDragged(undefined)
    setOver(undefined)
  }
  const drop = ({ over: target }: DragEndEvent) => {
    const row = dragged
    stop()
    if (!row || !target || target.id === (row.phase?.id ?? NONE)) return
    const phase = phases.find(({ id }) => id === target.id) ?? null
    const summary = phase ? `phase ${phaseName(phase)}` : 'no phase'
    void editWorkOrders(project.id, summary, [{ row, fields: { phase_id: phase?.id ?? null }, shows: { phase } }])
  }
  const lanes = [...phases, undefined]
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={pointerWithin}
      onDragStart={({ active }) => setDragged(rows.find(({ id }) => id === active.id))}
      onDragOver={({ over: target }) => setOver(target?.id as string | undefined)}
      onDragEnd={drop}
      onDragCancel={stop}
    >
      <div className={css.lanes}>
        {lanes.map((phase) => {
          const key = phase?.id ?? NONE
          return (
            <Lane
              key={key}
              phase={phase}
              rows={byPhase.get(key) ?? []}
              projectId={project.id}
              isTarget={over === key && (dragged?.phase?.id ?? NONE) !== key}
              draggedId={dragged?.id}
            />
          )
        })}
        <NewPhase number={phases.length + 1} projectId={project.id} />
      </div>
      <DragOverlay dropAnimation={null}>
        {dragged && (
          <div className={css.lifted}>
            <LaneRowFace row={dragged} short />
          </div>
        )}
      </DragOverlay>
    </DndContext>
  )
}
