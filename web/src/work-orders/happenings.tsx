import type { Change } from '@slipway/sdk'
import type { Describe } from '../activity/entries.ts'
import { StatusRing } from '../ui/StatusRing.tsx'
import { FIELD_WORDS } from './announcements.ts'
import { PRIORITY_NAMES, type Priority, STATUS_NAMES, type Status, TYPE_NAMES, type Type } from './work-order.ts'

type Value = string | string[] | null
interface Payload {
  fields?: string[]
  changes?: Record<string, { from: Value; to: Value }>
  from?: Status
  to?: Status
  holder?: string
  reason?: string
}

const TAKEN_BACK: Record<string, string> = {
  expired: 'took it back, because its claim expired',
  revoked: 'took it back, because they ended the access of its agent',
}

/** For the timeline of a work order. */
export const describeChange: Describe = ({ kind, payload, actor }) => {
  const { fields = [], changes = {}, from, to, holder, reason } = payload as Payload
  if (kind === 'work_order.created') return 'created this'
  if (kind === 'work_order.comment_deleted') return 'deleted a comment'
  if (kind === 'work_order.status_changed' && from && to) return <Move from={from} to={to} />
  if (kind === 'work_order.connection_confirmed') return 'confirmed a connection'
  if (kind === 'work_order.claimed') return holder === actor.name ? 'claimed it' : `claimed it as ${holder}`
  if (kind === 'work_order.code_linked') return describeCode(payload)
  if (kind === 'work_order.claim_ended') return TAKEN_BACK[reason ?? ''] ?? 'gave it back'
  if (kind !== 'work_order.updated') return undefined
  const parts = fields.filter((field) => field !== 'status').map((field) => partOf(field, changes[field]))
  if (parts.length === 0) return undefined
  return parts.length === 1 ? parts[0] : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}

const PULL_REQUEST = { draft: 'drafted', open: 'opened', merged: 'merged', closed: 'closed' }

function describeCode(payload: Change['payload']): string {
  const { state, title, repository } = payload as {
    state: keyof typeof PULL_REQUEST | null
    title: string
    repository: string
  }
  const what = state ? `${PULL_REQUEST[state]} the pull request` : 'linked the commit'
  return `${what} “${title}” in ${repository}`
}

function Move({ from, to }: { from: Status; to: Status }) {
  return (
    <>
      moved it from <StatusRing status={from} size={13} /> {STATUS_NAMES[from]} to <StatusRing status={to} size={13} />{' '}
      <strong>{STATUS_NAMES[to]}</strong>
    </>
  )
}

const EDITS: Record<string, string> = {
  title: 'renamed it',
  markdown_content: 'edited the description',
  implementation_plan: 'edited the plan',
  connectedContext: 'changed what is connected',
}

const editOf = (field: string) => EDITS[field] ?? `changed ${FIELD_WORDS[field] ?? field}`

function partOf(field: string, change: { from: Value; to: Value } | undefined): string {
  if (!change) return editOf(field)
  const { from, to } = change
  switch (field) {
    case 'title':
      return `renamed it from “${from}”`
    case 'priority':
      return `set the priority to ${PRIORITY_NAMES[to as Priority]}`
    case 'type':
      return `set the type to ${TYPE_NAMES[to as Type]}`
    case 'phase':
      return to === null ? `took it out of ${from}` : `moved it to ${to}`
    case 'assignee':
      return to === null ? `took ${from} off it` : `assigned it to ${to}`
    case 'labels':
      return labelPart(from as string[], to as string[])
    default:
      return editOf(field)
  }
}

function labelPart(from: string[], to: string[]): string {
  const added = to.filter((one) => !from.includes(one))
  const removed = from.filter((one) => !to.includes(one))
  const name = (titles: string[]) => `${titles.length === 1 ? 'label' : 'labels'} ${titles.join(', ')}`
  if (removed.length === 0) return `added ${name(added)}`
  if (added.length === 0) return `removed ${name(removed)}`
  return `added ${name(added)} and removed ${name(removed)}`
}
