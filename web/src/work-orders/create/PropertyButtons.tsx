import { useRouteContext } from '@tanstack/react-router'
import { type ReactNode, useRef } from 'react'
import { cx } from '../../lib/cx.ts'
import { Avatar } from '../../people/Avatar.tsx'
import { Dot } from '../../ui/Chip.tsx'
import { IconFlag, IconTag } from '../../ui/icons.ts'
import { Kbd } from '../../ui/Kbd.tsx'
import { PopUp } from '../../ui/PopUp.tsx'
import { PriorityBars } from '../../ui/PriorityBars.tsx'
import { StatusRing } from '../../ui/StatusRing.tsx'
import { createLabel } from '../labels/edits.ts'
import { createPhase } from '../phases/edits.ts'
import { ValuesPick } from '../picker.tsx'
import { editOf, PROPERTY_NAMES, type Property, selectedOf, TypeIcon } from '../properties.tsx'
import { keysOf } from '../shortcuts.ts'
import { useVocabulary } from '../use-vocabulary.ts'
import { type Label, PRIORITY_NAMES, phaseName, STATUS_NAMES, TYPE_NAMES, type WorkOrderRow } from '../work-order.ts'
import type { Values } from './draft.ts'
import css from './PropertyButtons.module.css'

/** The values of a new work order, each with its list. */
export function PropertyButtons({ draft, onChange }: { draft: Values; onChange(part: Partial<Values>): void }) {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const vocabulary = useVocabulary(project.id)
  // A label or a phase arrives later, when more may have been chosen.
  const latest = useRef({ draft, onChange })
  latest.current = { draft, onChange }
  const addLabel = async (title: string, color: Label['color'] | undefined) => {
    const outcome = await createLabel(project.id, title, vocabulary.labels, [], color)
    if (outcome.state !== 'saved') return
    const { labels } = latest.current.draft
    latest.current.onChange({ labels: [...labels, outcome.answer].sort((a, b) => a.title.localeCompare(b.title)) })
  }
  const addPhase = async (title: string) => {
    const outcome = await createPhase(project.id, title)
    if (outcome.state === 'saved') latest.current.onChange({ phase: outcome.answer })
  }
  const button = (property: Property, icon: ReactNode, text: string, empty = false) => (
    <PopUp
      shortcut={property}
      target={({ toggle, open }) => (
        <button type="button" className={cx(css.button, empty && css.empty)} aria-expanded={open} onClick={toggle}>
          <span className="sr-only">{PROPERTY_NAMES[property]}: </span>
          {icon}
          {text}
          <Kbd keys={keysOf(property)} />
        </button>
      )}
    >
      {(close) => (
        <ValuesPick
          property={property}
          projectId={project.id}
          selected={selectedOf(property, draft)}
          onPick={(value) => {
            if (property !== 'label') close()
            onChange(editOf(draft as WorkOrderRow, property, value, vocabulary).shows as Partial<Values>)
          }}
          onCreate={(title, color) => {
            close()
            void (property === 'label' ? addLabel(title, color as Label['color']) : addPhase(title))
          }}
          onClose={close}
        />
      )}
    </PopUp>
  )
  const { status, priority, type, phase, assignee, labels } = draft
  return (
    <div className={css.buttons}>
      {button('status', <StatusRing status={status} size={15} />, STATUS_NAMES[status])}
      {button('priority', <PriorityBars priority={priority} size={15} />, PRIORITY_NAMES[priority])}
      {button('type', <TypeIcon type={type} size={15} />, TYPE_NAMES[type])}
      {button('phase', <IconFlag size={15} stroke={1.75} />, phase ? phaseName(phase) : 'No phase')}
      {button('assignee', <Avatar person={assignee} size={17} />, assignee?.name ?? 'Nobody')}
      {labels.map((label) => (
        <span key={label.id} className={css.button}>
          <Dot color={label.color} />
          {label.title}
        </span>
      ))}
      {button('label', <IconTag size={15} stroke={1.75} />, 'Label', true)}
    </div>
  )
}
