import {
  addComment,
  addLabel,
  addPhase,
  changeWorkOrder,
  createWorkOrder,
  type ImplementationPlan,
  type LabelColor,
  type Priority,
  toDescription,
  type WorkOrderStatus,
  type WorkOrderType,
} from '../product/work-orders/index.ts'
import { type Entry, entriesOf, listOf, type Note } from './content.ts'
import { storyTime } from './story-time.ts'
import type { World } from './world.ts'

const PHASES = ['Foundation', 'Checkout', 'Hardening']
const LABELS: Record<string, LabelColor> = {
  checkout: 'blue',
  payments: 'purple',
  bug: 'red',
  copy: 'orange',
  feedback: 'green',
  observability: 'gray',
  chargebacks: 'purple',
  launch: 'orange',
}
const PLANNED = 'Sep 7 09:30'

export function planWorkOrders(world: World): void {
  const { story, cast, ids } = world
  story.plan(PLANNED, async () => {
    const ctx = await cast.as('Ada')
    for (const title of PHASES) await addPhase(ctx, { title })
    for (const [title, color] of Object.entries(LABELS))
      ids.set(`label ${title}`, (await addLabel(ctx, { title, color })).id)
  })
  for (const file of ['work-orders-1.md', 'work-orders-2.md', 'work-orders-3.md'])
    for (const entry of entriesOf(file)) planWorkOrder(world, entry)
}

/** Work orders are created in the order of their numbers, which the counter gives them. */
function planWorkOrder(world: World, entry: Entry): void {
  const { story, cast, ids } = world
  const [, number, title] = /^(\d+) (.+)$/.exec(entry.name)!
  const { fields } = entry
  const moves = movesOf(entry)
  story.plan(fields.at!, async () => {
    const workOrder = await createWorkOrder(await cast.as(fields.by!), {
      title: title!,
      status: (moves.length > 0 ? 'backlog' : fields.status!) as WorkOrderStatus,
      priority: (fields.priority ?? 'no_priority') as Priority,
      type: (fields.type ?? 'build') as WorkOrderType,
      phase: fields.phase ? { number: Number(fields.phase) } : null,
      labelIds: listOf(fields.labels).map((label) => ids.get(`label ${label}`)),
      description: toDescription(entry.text),
      context: listOf(fields.connects, ';').map((name) => ids.link(name)),
      implementationPlan: planOf(entry.notes),
      ...(moves.length === 0 && fields.assignee && { assignee: { id: cast.user(fields.assignee).id } }),
    })
    if (workOrder.workOrderNumber !== Number(number))
      throw new Error(`WO-${number} of the demo became WO-${workOrder.workOrderNumber}: check the order of "at".`)
    ids.set(`work order ${number}`, workOrder.id)
  })
  for (const [index, { status, at, by }] of moves.entries())
    story.plan(at, async () => {
      const assignee = index === 0 && fields.assignee ? { assignee: { id: cast.user(fields.assignee).id } } : {}
      await changeWorkOrder(await cast.as(by), ids.get(`work order ${number}`), { status, ...assignee })
    })
  for (const note of entry.notes.filter((one) => one.kind === 'comment')) planComment(world, number!, note)
}

interface Move {
  status: WorkOrderStatus
  at: number
  by: string
}

const STEPS: WorkOrderStatus[] = ['ready', 'in_progress', 'in_review', 'completed']

/** "moves" says when it got which status. "done" says when it was completed, and the rest follows. */
function movesOf({ fields }: Entry): Move[] {
  const by = fields.assignee ?? fields.by!
  if (fields.done) {
    const [from, to] = [storyTime(fields.at!), storyTime(fields.done)]
    return STEPS.map((status, index) => ({
      status,
      at: from + ((to - from) * (index + 1)) / STEPS.length,
      by: status === 'completed' ? (fields['done by'] ?? by) : by,
    }))
  }
  return listOf(fields.moves, ';').map((move) => {
    const [, status, at, who] = /^(\w+) (\w+ \d+ [\d:]+)(?: (.+))?$/.exec(move)!
    return { status: status as WorkOrderStatus, at: storyTime(at!), by: who ?? by }
  })
}

const ACTIONS = { A: 'create', M: 'modify', D: 'delete' } as const

/** "M server/refunds/refund.ts: what for" */
function planOf(notes: Note[]): ImplementationPlan | null {
  const plan = notes.find((note) => note.kind === 'plan')
  if (!plan) return null
  const lines = notes.find((note) => note.kind === 'files')?.text.split('\n') ?? []
  const files = lines.map((line) => {
    const [, action, path, description] = /^([AMD]) (\S+): (.+)$/.exec(line)!
    return { action: ACTIONS[action as keyof typeof ACTIONS], path: path!, description: description! }
  })
  return { files, markdownContent: `${plan.text}\n` }
}

function planComment({ story, cast, ids }: World, number: string, { words, text }: Note): void {
  const [author, at, ...files] = words
  story.plan(at!, async () => {
    const artifacts = files.map((file) => ids.get(`artifact ${file}`))
    await addComment(await cast.as(author!), ids.get(`work order ${number}`), text, artifacts)
  })
}
