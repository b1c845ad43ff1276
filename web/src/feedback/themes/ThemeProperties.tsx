import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ConnectPicker } from '../../connections/ConnectPicker.tsx'
import { connect } from '../../connections/edits.ts'
import { inWords } from '../../lib/kinds.ts'
import { useMayWrite } from '../../lib/may-write.ts'
import { Avatar } from '../../people/Avatar.tsx'
import { membersQuery } from '../../people/members.ts'
import { IconFileText } from '../../ui/icons.ts'
import { type Option, Pick } from '../../ui/Pick.tsx'
import { PopUp } from '../../ui/PopUp.tsx'
import { PriorityBars } from '../../ui/PriorityBars.tsx'
import type { ThemeRow } from './api.ts'
import { assignTheme, changeTheme } from './edits.ts'
import { StatusSign, TypeBadge } from './signs.tsx'
import css from './ThemeProperties.module.css'
import { PRIORITIES, type Priority, STATUSES, type Status, TYPES, type Type } from './theme.ts'

const NOBODY = 'none'

interface Props {
  row: ThemeRow
  projectId: string
  /** Also shows the feature, where it is not listed beside. */
  withFeature?: boolean
}

/** Status, type, priority and owner. Each opens its list. */
export function ThemeProperties({ row, projectId, withFeature = false }: Props) {
  const members = useQuery(membersQuery(projectId)).data ?? []
  const set = (change: Parameters<typeof changeTheme>[2]) => void changeTheme(projectId, row, change)
  return (
    <div className={css.properties}>
      <Value
        name="Status"
        selected={row.status}
        options={STATUSES.map((value) => ({ value, label: inWords(value), icon: <StatusSign status={value} /> }))}
        onPick={(status) => set({ status: status as Status })}
      >
        <StatusSign status={row.status} size={15} />
        {inWords(row.status)}
      </Value>
      <Value
        name="Type"
        selected={row.type}
        isBare
        options={TYPES.map((value) => ({ value, label: inWords(value) }))}
        onPick={(type) => set({ type: type as Type })}
      >
        <TypeBadge type={row.type} />
      </Value>
      <Value
        name="Priority"
        selected={row.priority}
        options={PRIORITIES.map((value) => ({
          value,
          label: inWords(value),
          icon: <PriorityBars priority={value} />,
        }))}
        onPick={(priority) => set({ priority: priority as Priority })}
      >
        <PriorityBars priority={row.priority} size={15} />
        {inWords(row.priority)}
      </Value>
      <Value
        name="Owner"
        selected={row.assignee?.id ?? NOBODY}
        options={[
          ...members.map((one) => ({ value: one.id, label: one.name, icon: <Avatar person={one} size={18} /> })),
          { value: NOBODY, label: 'Nobody', icon: <Avatar person={null} size={18} /> },
        ]}
        onPick={(id) => {
          const assignee = members.find((one) => one.id === id) ?? null
          void assignTheme(projectId, { row, assignee })
        }}
      >
        <Avatar person={row.assignee} size={16} />
        {row.assignee?.name ?? 'Nobody'}
      </Value>
      {withFeature && <Feature row={row} projectId={projectId} />}
    </div>
  )
}

interface ValueProps {
  name: string
  selected: string
  options: Option[]
  isBare?: boolean
  onPick(value: string): void
  children: ReactNode
}

function Value({ name, selected, options, isBare = false, onPick, children }: ValueProps) {
  const mayWrite = useMayWrite()
  const className = isBare ? css.bare : css.value
  if (!mayWrite)
    return (
      <span className={className} title={name}>
        {children}
      </span>
    )
  return (
    <PopUp
      target={({ toggle, open }) => (
        <button type="button" className={className} aria-expanded={open} onClick={toggle}>
          <span className="sr-only">Change {name.toLowerCase()}: </span>
          {children}
        </button>
      )}
    >
      {(close) => (
        <Pick
          options={options}
          selected={[selected]}
          onPick={(value) => {
            close()
            if (value !== selected) onPick(value)
          }}
        />
      )}
    </PopUp>
  )
}

function Feature({ row, projectId }: Props) {
  const mayWrite = useMayWrite()
  const face = (
    <>
      <IconFileText size={15} stroke={1.75} />
      {row.feature?.title ?? 'No feature yet'}
    </>
  )
  if (!mayWrite) return <span className={css.value}>{face}</span>
  return (
    <PopUp
      target={({ toggle, open }) => (
        <button type="button" className={css.value} aria-expanded={open} onClick={toggle}>
          <span className="sr-only">Change feature: </span>
          {face}
        </button>
      )}
    >
      {(close) => (
        <ConnectPicker
          projectId={projectId}
          id={row.id}
          kinds={['requirements_document']}
          connected={row.feature ? [row.feature.id] : []}
          onPick={(one) => {
            close()
            if (one.resourceId !== row.feature?.id) connect({ projectId, id: row.id }, one)
          }}
        />
      )}
    </PopUp>
  )
}
