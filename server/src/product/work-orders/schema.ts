import { Type } from 'typebox'
import { createdVia } from '../../kernel/http/created-via.ts'
import { Paged, PageQuery } from '../../kernel/http/paging.ts'
import {
  Data,
  FilledText,
  Filter,
  Items,
  Kind,
  Markdown,
  Nullable,
  named,
  OneOf,
  Text,
  Time,
  Title,
  Uuid,
} from '../../kernel/http/schema.ts'
import { ContextLink, ShownContextLink } from '../links/index.ts'
import { LABEL_COLORS, PLAN_ACTIONS, PRIORITIES, SORTS, STATUSES, TYPES } from './work-order.ts'

const WorkOrderNumber = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, examples: [12] })

export const Label = named(
  'Label',
  Type.Object({
    object: Kind('label'),
    id: Uuid,
    title: Type.String({ examples: ['checkout'] }),
    color: OneOf(LABEL_COLORS),
    archived: Type.Boolean({ examples: [false] }),
  }),
)

export const Phase = named(
  'Phase',
  Type.Object({
    object: Kind('phase'),
    id: Uuid,
    phase_id: Uuid,
    phase_number: Type.Integer({ examples: [1] }),
    title: Type.String({ examples: ['First release'] }),
  }),
)

export const Person = named(
  'Person',
  Type.Object({
    id: Uuid,
    name: Type.String({ examples: ['Ada Lovelace'] }),
    email: Type.String({ examples: ['ada@example.org'] }),
  }),
)

const PlanFile = Type.Object({
  path: FilledText(1_000, { examples: ['src/checkout.ts'] }),
  action: OneOf(PLAN_ACTIONS),
  description: Text(10_000, { default: '', examples: ['The total rounds once, at the end.'] }),
})

export const ImplementationPlan = named(
  'ImplementationPlan',
  Type.Object({
    files: Type.Array(PlanFile, { maxItems: 1_000, default: [] }),
    markdown_content: Markdown({ default: '', examples: ['Round once, at the end.'] }),
  }),
)

const summaryFields = {
  object: Kind('work_order'),
  id: Uuid,
  work_order_number: Type.Integer({ examples: [12] }),
  title: Type.String({ examples: ['Round the total once'] }),
  status: OneOf(STATUSES),
  priority: OneOf(PRIORITIES),
  type: OneOf(TYPES),
  phase: Nullable(Phase),
  assignee: Nullable(Person),
  labels: Type.Array(Label),
  description_snippet: Type.String({ examples: ['The total is off by a cent when…'] }),
}

export const WorkOrderSummary = named('WorkOrderSummary', Type.Object(summaryFields))

export const WorkOrder = named(
  'WorkOrder',
  Type.Object({
    ...summaryFields,
    markdown_content: Type.String({ examples: ['The total is off by a cent when a coupon is used.\n'] }),
    implementation_plan: Nullable(ImplementationPlan),
    created_at: Time,
    updated_at: Time,
    connectedContext: Type.Array(ShownContextLink),
  }),
)

export const Comment = named(
  'WorkOrderComment',
  Type.Object({
    object: Kind('work_order_comment'),
    id: Uuid,
    author: Nullable(Person),
    created_at: Time,
    updated_at: Time,
    markdown_content: Type.String({ examples: ['Fixed in the rounding helper.'] }),
    artifact_ids: Type.Array(Uuid, { examples: [[]] }),
    ...createdVia,
  }),
)

export const WorkOrderData = Data(WorkOrder)
export const CommentData = Data(Comment)
export const CommentItems = Items(Comment)
export const LabelItems = Items(Label)
export const PhaseItems = Items(Phase)
export const WorkOrderItems = Items(WorkOrderSummary)
export const WorkOrderPage = Paged(WorkOrderSummary)

export const WorkOrderParams = Type.Object({ work_order_id: Uuid })
export const CommentParams = Type.Object({ work_order_id: Uuid, comment_id: Uuid })
export const NumberParams = Type.Object({ work_order_number: WorkOrderNumber })
export const LabelQuery = Type.Object({
  include_archived: Type.Boolean({ default: false, description: 'Also the archived ones.' }),
})
export const DetailQuery = Type.Object({
  expand_context: Type.Boolean({ default: false, description: 'Each connected thing also with title and content.' }),
})

export const ListQuery = Type.Object({
  status: Filter(OneOf(STATUSES), 'Any of these statuses.'),
  priority: Filter(OneOf(PRIORITIES), 'Any of these priorities.'),
  type: Filter(OneOf(TYPES), 'Any of these types.'),
  phase_id: Filter(Uuid, 'In any of these phases.'),
  phase_number: Filter(
    Type.Integer({ minimum: 0, maximum: 2_147_483_647 }),
    'In any of the phases with these numbers.',
  ),
  assignee_id: Filter(Uuid, 'Assigned to any of these people.'),
  assignee_name: Filter(Text(500), 'Part of the name of the person it is assigned to.', { split: false }),
  title: Filter(Text(500), 'Part of the title.', { split: false }),
  label_id: Filter(Uuid, 'With any of these labels.'),
  sort: OneOf(SORTS, { default: 'number', description: '`priority` puts urgent first.' }),
  ...PageQuery,
})

export const SearchBody = Type.Object({
  query: Type.Optional(
    FilledText(1_000, {
      description: 'Every word must occur in title or description. At most 50 different words.',
      examples: ['round total'],
    }),
  ),
  work_order_number: Type.Optional(WorkOrderNumber),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
})

export const DescriptionBody = Type.Object({
  markdown_content: Markdown({ examples: ['The total is off by a cent.\n'] }),
})

const ArtifactIds = Type.Array(Uuid, { maxItems: 100, examples: [[]] })
export const NewCommentBody = Type.Object({
  markdown_content: Markdown({ minLength: 1, pattern: '\\S', examples: ['Fixed in the rounding helper.'] }),
  artifact_ids: Type.Optional(ArtifactIds),
})
export const CommentBody = Type.Partial(NewCommentBody)

/** The values that a batch can set on a work order. */
export const WorkOrderValues = Type.Partial(
  Type.Object({
    title: Title({ examples: ['Round the total once'] }),
    markdown_content: Markdown({ examples: ['The total is off by a cent.\n'] }),
    status: OneOf(STATUSES),
    priority: OneOf(PRIORITIES),
    type: OneOf(TYPES),
    assignee_id: Nullable(Uuid),
    assignee_email: Nullable(Type.String({ format: 'email', maxLength: 320, examples: ['ada@example.org'] })),
    phase_id: Nullable(Uuid),
    phase_number: Nullable(Type.Integer({ minimum: 0, maximum: 2_147_483_647, examples: [1] })),
    label_ids: Type.Array(Uuid, { maxItems: 100 }),
    implementation_plan: Nullable(ImplementationPlan),
    connectedContext: Type.Array(ContextLink, { maxItems: 500 }),
  }),
)
