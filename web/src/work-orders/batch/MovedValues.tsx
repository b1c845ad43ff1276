import type { ReactNode } from 'react'
import { Avatar } from '../../people/Avatar.tsx'
import { IconArrowRight } from '../../ui/icons.ts'
import { PriorityBars } from '../../ui/PriorityBars.tsx'
import { StatusRing } from '../../ui/StatusRing.tsx'
import { TypeIcon } from '../properties.tsx'
import { phaseName, type WorkOrder, type WorkOrderRow } from '../work-order.ts'
import css from './BatchResult.module.css'

type Values = Partial<WorkOrder>

/** The first of the values that a batch can change, as small as it can be shown. */
function signOf(values: Values): ReactNode {
  if (values.status) return <StatusRing status={values.status} />
  if (values.priority) return <PriorityBars priority={values.priority} />
  if (values.type) return <TypeIcon type={values.type} />
  if (values.assignee !== undefined) return <Avatar person={values.assignee} size={18} />
  if (values.phase !== undefined) return values.phase ? phaseName(values.phase) : 'No phase'
  if (values.labels) return values.labels.map(({ title }) => title).join(', ') || 'No label'
  return undefined
}

/** What a row had, and what it has now. */
export function MovedValues({ row, shows }: { row: WorkOrderRow; shows: Values }) {
  const before = Object.fromEntries(Object.keys(shows).map((name) => [name, row[name as keyof WorkOrderRow]])) as Values
  return (
    <span className={css.move}>
      {signOf(before)}
      <IconArrowRight size={13} aria-label="to" />
      {signOf(shows)}
    </span>
  )
}

const NAMED = /^(status|priority|type|assignee) (.+)$/s

/** "Status to In review", with its sign. */
export function Summary({ text, shows }: { text: string; shows: Values }) {
  const [, property, value] = NAMED.exec(text) ?? []
  const upper = (words: string) => words.charAt(0).toUpperCase() + words.slice(1)
  if (!property) return upper(text)
  return (
    <>
      {upper(property)} to <span className={css.value}>{signOf(shows)}</span> <strong>{value}</strong>
    </>
  )
}
