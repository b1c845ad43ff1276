import { Type } from 'typebox'
import { Markdown, Nullable, OneOf, Text, Time, Title, Uuid } from '../../kernel/http/schema.ts'
import {
  Large,
  MaybeFields,
  MaybeId,
  MaybeSomeone,
  MaybeTime,
  type MovedTable,
  Someone,
  Whole,
} from '../../kernel/moving/table.ts'
import { ImplementationPlan } from './schema.ts'
import { LABEL_COLORS, PRIORITIES, STATUSES, TYPES } from './work-order.ts'

export const movedWorkOrders: MovedTable[] = [
  {
    name: 'phases',
    row: Type.Object({ id: Uuid, phase_number: Whole, title: Title(), created_at: Time }),
    order: 't.phase_number',
  },
  {
    name: 'labels',
    row: Type.Object({
      id: Uuid,
      title: Title(),
      color: OneOf(LABEL_COLORS),
      archived: Type.Boolean(),
      created_at: Time,
    }),
    order: 't.id',
  },
  {
    name: 'work_orders',
    row: Type.Object({
      id: Uuid,
      work_order_number: Whole,
      title: Title(),
      status: OneOf(STATUSES),
      priority: OneOf(PRIORITIES),
      type: OneOf(TYPES),
      phase_id: MaybeId,
      assignee_id: MaybeSomeone,
      label_ids: Type.Array(Uuid, { maxItems: 1_000 }),
      markdown_content: Markdown(),
      description_snippet: Text(10_000),
      implementation_plan: Nullable(ImplementationPlan),
      created_at: Time,
      updated_at: Time,
    }),
    order: 't.work_order_number',
    rules: [
      {
        fault: 'A work order has a label that is not in the file.',
        broken: `select from work_orders w, unnest(w.label_ids) as l (id) where w.project_id = $1
          and not exists (select from labels where project_id = w.project_id and id = l.id)`,
      },
    ],
  },
  {
    name: 'work_order_comments',
    row: Type.Object({
      id: Uuid,
      work_order_id: Uuid,
      author_id: MaybeSomeone,
      markdown_content: Markdown(),
      created_at: Time,
      updated_at: Time,
      via: MaybeFields,
    }),
    order: 't.id',
  },
  {
    name: 'work_order_comment_artifacts',
    row: Type.Object({ comment_id: Uuid, artifact_id: Uuid, position: Whole }),
    order: 't.comment_id, t.position',
  },
  {
    name: 'work_order_views',
    row: Type.Object({
      id: Uuid,
      owner_id: Someone,
      shared: Type.Boolean(),
      name: Title(),
      query: Text(10_000),
      created_at: Time,
    }),
    order: 't.id',
  },
  {
    name: 'work_order_claims',
    row: Type.Object({
      work_order_id: Uuid,
      fencing_token: Large,
      holder: Nullable(Text(1_000)),
      user_id: MaybeSomeone,
      expires_at: MaybeTime,
      claimed_at: MaybeTime,
      renewed_at: MaybeTime,
    }),
    order: 't.work_order_id',
  },
]
