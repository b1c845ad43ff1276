import { useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { NumberMark } from '../../ui/Chip.tsx'
import { IconPlus } from '../../ui/icons.ts'
import { Kbd } from '../../ui/Kbd.tsx'
import { createPhase } from './edits.ts'
import css from './Phases.module.css'

/** The empty lane at the end. A click gives it a name. */
export function NewPhase({ number, projectId }: { number: number; projectId: string }) {
  // The sidebar leads here to add one.
  const isAsked = useLocation({ select: ({ hash }) => hash === 'new-phase' })
  const navigate = useNavigate()
  const [title, setTitle] = useState<string>()
  useEffect(() => {
    if (!isAsked) return
    setTitle((old) => old ?? '')
    void navigate({ to: '.', search: (old) => old, hash: '', replace: true })
  }, [isAsked, navigate])
  const add = () => {
    const name = title?.trim()
    if (!name) return
    createPhase(projectId, name)
    setTitle(undefined)
  }
  if (title === undefined)
    return (
      <button type="button" className={css.newLane} onClick={() => setTitle('')}>
        <IconPlus size={15} stroke={1.75} /> New phase
      </button>
    )
  return (
    <div className={css.newLane}>
      <NumberMark>{number}</NumberMark>
      <input
        // biome-ignore lint/a11y/noAutofocus: the field opens on request.
        autoFocus
        className={css.newTitle}
        aria-label="Title of the phase"
        maxLength={500}
        value={title}
        onChange={(event) => setTitle(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') add()
          else if (event.key === 'Escape') setTitle(undefined)
        }}
      />
      <Kbd keys="enter" /> add <Kbd keys="esc" /> cancel
    </div>
  )
}
