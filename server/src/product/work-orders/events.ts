import { Type } from 'typebox'
import { defineEvents, event, Fields, inWords, joinParts, MEMBERS } from '../../kernel/event-kinds.ts'
import { OneOf, Time, Uuid } from '../../kernel/http/schema.ts'
import { LABEL_COLORS, STATUSES } from './work-order.ts'

const Numbered = {
  work_order_number: Type.Integer({ examples: [41] }),
  title: Type.String({ examples: ['Round refunds once'] }),
}
const Comment = { comment_id: Uuid }
const Status = OneOf(STATUSES)
type Value = string | string[] | null
interface Difference {
  from: Value
  to: Value
}
const OneValue = { type: ['string', 'array', 'null'], items: { type: 'string' } }
const Changes = Type.Unsafe<Record<string, Difference>>({
  type: 'object',
  description: 'What short values were and became, by field. Of texts and connections, only `fields` tells.',
  additionalProperties: {
    type: 'object',
    required: ['from', 'to'],
    properties: { from: OneValue, to: OneValue },
  },
  examples: [{ priority: { from: 'low', to: 'urgent' } }],
})

const ENDS: Record<string, string> = {
  released: 'gave {it} back',
  expired: 'took {it} back, because its claim expired',
  revoked: 'took {it} back, because they ended the access of its agent',
}

export const workOrderEvents = defineEvents(
  { name: 'work_order', title: 'Work orders', seenBy: MEMBERS },
  {
    created: event(Numbered, 'created {it}'),
    updated: event({ fields: Fields, changes: Type.Optional(Changes) }, ({ fields, changes = {} }) =>
      // The event of the new status says so.
      joinParts(fields.filter((one) => one !== 'status').map((one) => sayField(one, changes[one]))),
    ),
    status_changed: event(
      { from: Status, to: Status },
      ({ from, to }) => `moved {it} from ${inWords(from)} to ${inWords(to)}`,
    ),
    deleted: event(Numbered, 'deleted {it}'),
    restored: event(Numbered, 'brought {it} back'),
    commented: event(Comment, 'commented on {it}'),
    comment_updated: event(Comment, 'edited a comment on {it}'),
    comment_deleted: event(Comment, 'deleted a comment on {it}'),
    claimed: event(
      {
        holder: Type.String({ examples: ['Claude Code'] }),
        fencing_token: Type.Integer({ examples: [7] }),
        expires_at: Time,
      },
      ({ holder }, by) => (holder === by ? 'claimed {it}' : `claimed {it} as ${holder}`),
    ),
    claim_ended: event(
      { fencing_token: Type.Integer({ examples: [7] }), reason: OneOf(['released', 'expired', 'revoked']) },
      ({ reason }) => ENDS[reason],
    ),
  },
)

const EDITS: Record<string, string> = {
  title: 'renamed {it}',
  markdown_content: 'edited the description of {it}',
  implementation_plan: 'edited the plan of {it}',
  connectedContext: 'changed what is connected to {it}',
}

function sayField(field: string, change: Difference | undefined): string {
  if (!change) return EDITS[field] ?? `changed the ${field} of {it}`
  const { from, to } = change
  switch (field) {
    case 'title':
      return `renamed {it} from “${from}”`
    case 'priority':
      return `set the priority of {it} to ${inWords(String(to))}`
    case 'type':
      return `set the type of {it} to ${to === 'none' ? 'No type' : inWords(String(to))}`
    case 'phase':
      return to === null ? `took {it} out of ${from}` : `moved {it} to ${to}`
    case 'assignee':
      return to === null ? `took ${from} off {it}` : `assigned {it} to ${to}`
    case 'labels':
      return sayLabels([from ?? []].flat(), [to ?? []].flat())
    default:
      return `changed the ${field} of {it}`
  }
}

function sayLabels(from: string[], to: string[]): string {
  const added = to.filter((one) => !from.includes(one))
  const removed = from.filter((one) => !to.includes(one))
  const named = (titles: string[]) => `${titles.length === 1 ? 'label' : 'labels'} ${titles.join(', ')}`
  if (removed.length === 0) return `added ${named(added)} to {it}`
  if (added.length === 0) return `removed ${named(removed)} from {it}`
  return `added ${named(added)} to {it} and removed ${named(removed)}`
}

const Title = Type.String({ examples: ['Beta'] })

export const phaseEvents = defineEvents(
  { name: 'phase', title: 'Phases', seenBy: MEMBERS },
  {
    created: event({ title: Title }, ({ title }) => `added the phase “${title}”`),
    updated: event({ title: Title }, ({ title }) => `renamed a phase to “${title}”`),
    reordered: event({ order: Type.Array(Uuid) }, 'changed the order of the phases'),
    deleted: event({ title: Title }, ({ title }) => `deleted the phase “${title}”`),
  },
)

const Color = OneOf(LABEL_COLORS)

export const labelEvents = defineEvents(
  { name: 'label', title: 'Labels', seenBy: MEMBERS },
  {
    created: event({ title: Title, color: Color }, ({ title }) => `added the label “${title}”`),
    updated: event(
      { title: Type.Optional(Title), color: Type.Optional(Color), archived: Type.Optional(Type.Boolean()) },
      'changed a label',
    ),
    deleted: event({ title: Title }, ({ title }) => `deleted the label “${title}”`),
  },
)

const View = {
  shared: Type.Boolean({ examples: [true] }),
  owner_id: Uuid,
  name: Type.Optional(Type.String({ description: 'Only if it is shared.', examples: ['Blocked'] })),
}

export const viewEvents = defineEvents(
  {
    name: 'work_order_view',
    title: 'Shared views',
    seenBy: {
      who: 'members if the view is shared, else its owner',
      may: ({ userId }, { payload }) => payload.shared === true || payload.owner_id === userId,
    },
  },
  {
    created: event(View, 'saved a view'),
    updated: event(View, 'changed a view'),
    deleted: event(View, 'deleted a view'),
  },
)
