import { type Static, Type } from 'typebox'
import { invalid } from '../../kernel/errors.ts'
import { FilledText, Markdown, OneOf, Text, Title, Uuid } from '../../kernel/http/schema.ts'
import { defineTool, type Tool } from '../../kernel/slice.ts'
import { deleteWorkOrder, loadWorkOrder, loadWorkOrderByNumber } from './actions.ts'
import { readValues } from './batches/operations.ts'
import { changeWorkOrder } from './change.ts'
import { addComment, listComments } from './comments/comments.ts'
import { createWorkOrder } from './create.ts'
import { listLabels } from './planning/label-queries.ts'
import { listPhases } from './planning/phase-queries.ts'
import { listWorkOrders } from './queries.ts'
import { WorkOrderValues } from './schema.ts'
import { searchWorkOrders } from './search.ts'
import {
  PRIORITIES,
  presentComment,
  presentLabel,
  presentPhase,
  presentWorkOrder,
  presentWorkOrderSummary,
  refused,
  SORTS,
  STATUSES,
  TYPES,
} from './work-order.ts'

const domain = 'work_orders'
const PAGE = 50
const some = <T extends string>(values: readonly T[]) =>
  Type.Optional(Type.Array(OneOf(values), { minItems: 1, maxItems: 20 }))
const ById = Type.Object({ work_order_id: Uuid })

export const workOrderTools: Tool[] = [
  defineTool({
    name: 'list_work_orders',
    domain,
    kind: 'view',
    description: `Lists work orders, ${PAGE} on a page, with filters that must all hold.`,
    input: Type.Object({
      status: some(STATUSES),
      priority: some(PRIORITIES),
      type: some(TYPES),
      title: Type.Optional(Text(500, { description: 'Part of the title.' })),
      assignee_name: Type.Optional(Text(500, { description: 'Part of the name.' })),
      sort: OneOf(SORTS, { default: 'number' }),
      page: Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1 }),
    }),
    async run({ db, actor }, { status, priority, type, title, assignee_name, sort, page }) {
      const filters = {
        statuses: status,
        priorities: priority,
        types: type,
        titles: title ? [title] : undefined,
        assigneeNames: assignee_name ? [assignee_name] : undefined,
      }
      const list = { filters, sort, limit: PAGE, offset: (page - 1) * PAGE }
      const { rows, total } = await listWorkOrders(db, actor.projectId, list)
      return { items: rows.map(presentWorkOrderSummary), total, page }
    },
  }),
  defineTool({
    name: 'search_work_orders',
    domain,
    kind: 'view',
    description: 'Finds work orders in which every one of the words occurs, in title or description.',
    input: Type.Object({
      query: FilledText(1_000),
      limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
    }),
    run: async (ctx, { query, limit }) => ({
      items: (await searchWorkOrders(ctx, query, limit)).map(presentWorkOrderSummary),
    }),
  }),
  defineTool({
    name: 'get_work_order',
    domain,
    kind: 'view',
    description: 'Reads a work order by its id or by its number.',
    input: Type.Object({
      work_order_id: Type.Optional(Uuid),
      work_order_number: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647 })),
    }),
    async run(ctx, { work_order_id, work_order_number }) {
      if (work_order_id !== undefined) return presentWorkOrder(await loadWorkOrder(ctx, work_order_id))
      if (work_order_number !== undefined) return presentWorkOrder(await loadWorkOrderByNumber(ctx, work_order_number))
      throw invalid([{ pointer: '/work_order_id', detail: 'Give "work_order_id" or "work_order_number".' }])
    },
  }),
  defineTool({
    name: 'list_work_order_labels_and_phases',
    domain,
    kind: 'view',
    description: 'Lists the labels and phases that work orders can have.',
    input: Type.Object({}),
    async run({ db, actor }) {
      const labels = await listLabels(db, actor.projectId, false)
      const phases = await listPhases(db, actor.projectId)
      return { labels: labels.map(presentLabel), phases: phases.map(presentPhase) }
    },
  }),
  defineTool({
    name: 'list_work_order_comments',
    domain,
    kind: 'view',
    description: 'Lists the comments of a work order, the oldest first.',
    input: ById,
    run: async (ctx, { work_order_id }) => ({
      items: (await listComments(ctx, work_order_id)).map(presentComment),
    }),
  }),
  defineTool({
    name: 'create_work_order',
    domain,
    kind: 'create',
    description: 'Creates a work order.',
    input: Type.Object({ ...WorkOrderValues.properties, title: Title() }),
    run: async (ctx, values) => presentWorkOrder(await createWorkOrder(ctx, valuesOf(values))),
  }),
  defineTool({
    name: 'update_work_order',
    domain,
    kind: 'edit',
    description: 'Changes the given values of a work order. Null clears assignee, phase and plan.',
    input: Type.Object({ work_order_id: Uuid, values: WorkOrderValues }),
    run: async (ctx, { work_order_id, values }) =>
      presentWorkOrder(await changeWorkOrder(ctx, work_order_id, valuesOf(values))),
  }),
  defineTool({
    name: 'comment_work_order',
    domain,
    kind: 'edit',
    description: 'Adds a comment to a work order.',
    input: Type.Object({ work_order_id: Uuid, markdown_content: Markdown({ minLength: 1, pattern: '\\S' }) }),
    run: async (ctx, { work_order_id, markdown_content }) =>
      presentComment(await addComment(ctx, work_order_id, markdown_content, [])),
  }),
  defineTool({
    name: 'delete_work_order',
    domain,
    kind: 'delete',
    description: 'Deletes a work order for good. Only when you were asked to.',
    input: ById,
    async run(ctx, { work_order_id }) {
      await deleteWorkOrder(ctx, work_order_id)
      return { deleted: work_order_id }
    },
  }),
]

/** A model that gives both an id and an e-mail address gets the same refusal as any caller. */
function valuesOf(sent: Static<typeof WorkOrderValues>) {
  const values = readValues(sent)
  if ('fault' in values) throw refused(values.fault)
  return values
}
