import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { rowsQuery } from '../api.ts'
import { NONE } from '../properties.tsx'
import { isNew, type Phase, phaseName } from '../work-order.ts'
import css from './DeletePhase.module.css'
import { deletePhase } from './edits.ts'

interface Props {
  phase: Phase
  phases: Phase[]
  projectId: string
  onClose(): void
}

/** Asks where the work orders of the phase go. */
export function DeletePhase({ phase, phases, projectId, onClose }: Props) {
  const count = useQuery({
    ...rowsQuery(projectId),
    select: (rows) => rows.filter((row) => row.phase?.id === phase.id).length,
  }).data
  const [target, setTarget] = useState(NONE)
  const others = phases.filter((one) => one.id !== phase.id && !isNew(one))
  const remove = () => {
    onClose()
    deletePhase(projectId, phase, others.find(({ id }) => id === target) ?? null)
  }
  return (
    <Dialog label={`Delete ${phase.title}`} width={440} onClose={onClose}>
      <div className={css.body}>
        <h2>Delete “{phase.title}”?</h2>
        {count ? (
          <label className={css.choice}>
            Move its {count === 1 ? 'work order' : `${count} work orders`} to
            <select value={target} onChange={(event) => setTarget(event.target.value)}>
              <option value={NONE}>No phase</option>
              {others.map((one) => (
                <option key={one.id} value={one.id}>
                  {phaseName(one)}
                </option>
              ))}
            </select>
          </label>
        ) : (
          <p>Nothing is planned in it.</p>
        )}
        <p>The phases after it are renumbered. This cannot be undone.</p>
      </div>
      <footer className={css.foot}>
        <Button look="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button className={css.delete} onClick={remove}>
          Delete phase
        </Button>
      </footer>
    </Dialog>
  )
}
