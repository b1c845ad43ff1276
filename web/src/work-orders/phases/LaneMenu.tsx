import { useState } from 'react'
import { IconArrowDown, IconArrowUp, IconPencil, IconTrash } from '../../ui/icons.ts'
import { MoreMenu } from '../../ui/MoreMenu.tsx'
import type { Phase } from '../work-order.ts'
import { renamePhase } from './edits.ts'
import css from './Phases.module.css'

interface Props {
  name: string
  isFirst: boolean
  isLast: boolean
  onRename(): void
  onMove(by: number): void
  onDelete(): void
}

export function LaneMenu({ name, isFirst, isLast, onRename, onMove, onDelete }: Props) {
  const size = { size: 16, stroke: 1.75 }
  const pick = (value: string) => {
    if (value === 'rename') onRename()
    else if (value === 'up') onMove(-1)
    else if (value === 'down') onMove(1)
    else onDelete()
  }
  return (
    <MoreMenu
      small
      label={`More about ${name}`}
      onPick={pick}
      options={[
        { value: 'rename', label: 'Rename', icon: <IconPencil {...size} /> },
        ...(isFirst ? [] : [{ value: 'up', label: 'Move up', icon: <IconArrowUp {...size} /> }]),
        ...(isLast ? [] : [{ value: 'down', label: 'Move down', icon: <IconArrowDown {...size} /> }]),
        { value: 'delete', label: 'Delete…', icon: <IconTrash {...size} />, divided: true },
      ]}
    />
  )
}

/** The title as a field: Enter saves, Escape takes it back. */
export function RenamePhase({ phase, projectId, onClose }: { phase: Phase; projectId: string; onClose(): void }) {
  const [title, setTitle] = useState(phase.title)
  const save = () => {
    onClose()
    const name = title.trim()
    if (name && name !== phase.title) renamePhase(projectId, phase, name)
  }
  return (
    <input
      // biome-ignore lint/a11y/noAutofocus: the field opens on request.
      autoFocus
      className={css.renamed}
      aria-label="Title of the phase"
      maxLength={500}
      value={title}
      onFocus={(event) => event.target.select()}
      onChange={(event) => setTitle(event.target.value)}
      onBlur={save}
      onKeyDown={(event) => {
        if (event.key === 'Enter') save()
        else if (event.key === 'Escape') {
          event.stopPropagation()
          onClose()
        }
      }}
    />
  )
}
