import { useRouteContext } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { keysOf } from '../../app/shortcuts.ts'
import { cx } from '../../lib/cx.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { Dot } from '../../ui/Chip.tsx'
import { IconFlag, IconTag } from '../../ui/icons.ts'
import { Kbd } from '../../ui/Kbd.tsx'
import { Pick } from '../../ui/Pick.tsx'
import { PopUp } from '../../ui/PopUp.tsx'
import { PriorityBars } from '../../ui/PriorityBars.tsx'
import { StatusRing } from '../../ui/StatusRing.tsx'
import { editOf, optionsOf, PROPERTY_NAMES, type Property, selectedOf, TypeIcon } from '../properties.tsx'
import { useVocabulary } from '../use-vocabulary.ts'
import { PRIORITY_NAMES, phaseName, STATUS_NAMES, TYPE_NAMES, type WorkOrderRow } from '../work-order.ts'
import type { Values } from './draft.ts'
import css from './PropertyButtons.module.css'

/** The values of a new work order, each with its list. */
export function PropertyButtons({ draft, onChange }: { draft: Values; onChange(part: Partial<Values>): void }) {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const vocabulary = useVocabulary(project.id)
  const button = (property: Property, icon: ReactNode, text: string, empty = false) => (
    <PopUp
      shortcut={property}
      target={({ toggle, open }) => (
        <button
          type="button"
          className={cx(css.button, empty && css.empty)}
          aria-label={`${PROPERTY_NAMES[property]}: ${text}`}
          aria-expanded={open}
          onClick={toggle}
        >
          {icon}
          {text}
          <Kbd keys={keysOf(property)} />
        </button>
      )}
    >
      {(close) => (
        <Pick
          placeholder={`Change ${PROPERTY_NAMES[property].toLowerCase()}…`}
          options={optionsOf(property, vocabulary)}
          selected={selectedOf(property, draft)}
          multiple={property === 'label'}
          numbered={property === 'status' || property === 'priority'}
          onPick={(value) => {
            if (property !== 'label') close()
            onChange(editOf(draft as WorkOrderRow, property, value, vocabulary).shows as Partial<Values>)
          }}
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
