import { queryClient } from '../lib/query-client.ts'
import { commentsQuery, workOrderQuery } from './api.ts'
import { placeOf, rankSections } from './excerpt.ts'
import {
  type Connected,
  codeOf,
  PRIORITY_NAMES,
  phaseName,
  STATUS_NAMES,
  type WorkOrder,
  type WorkOrderComment,
  type WorkOrderRow,
} from './work-order.ts'

/** Roughly what models count, and never less for English. */
const CHARACTERS_OF_TOKEN = 4
const AT_ONCE = 6
export const BUDGETS = [4_000, 8_000, 16_000, 32_000] as const
export const DEFAULT_BUDGET = 8_000

export interface Bundle {
  text: string
  tokens: number
}

/**
 * A work order as an agent reads it: markdown with its description, plan and comments, and the parts of what is
 * connected that fit into the budget, the most relevant first.
 */
export function bundleOf(workOrder: WorkOrder, comments: WorkOrderComment[], budget: number): Bundle {
  const own = ownParts(workOrder, comments)
  let left = budget * CHARACTERS_OF_TOKEN - own.join('\n\n').length
  const connected: string[] = []
  const about = `${workOrder.title} ${workOrder.markdown_content} ${workOrder.implementation_plan?.markdown_content ?? ''}`
  for (const one of workOrder.connectedContext) {
    const text = connectedPart(one, about, left)
    left -= text.length + 2
    connected.push(text)
  }
  const text = [...own, ...connected].join('\n\n')
  return { text: `${text}\n`, tokens: Math.ceil(text.length / CHARACTERS_OF_TOKEN) }
}

function ownParts(workOrder: WorkOrder, comments: WorkOrderComment[]): string[] {
  const { status, priority, phase, labels, implementation_plan: plan } = workOrder
  const facts = [`Status: ${STATUS_NAMES[status]}.`, `Priority: ${PRIORITY_NAMES[priority]}.`]
  if (phase) facts.push(`Phase: ${phaseName(phase)}.`)
  if (labels.length > 0) facts.push(`Labels: ${labels.map(({ title }) => title).join(', ')}.`)
  const files = plan?.files.map((file) => `- ${file.action} \`${file.path}\`: ${file.description}`) ?? []
  const said = comments.map(
    ({ author, created_at, markdown_content }) =>
      `${author?.name ?? 'Someone'}, ${created_at.slice(0, 10)}:\n\n${quote(markdown_content)}`,
  )
  return [
    `# ${codeOf(workOrder)} ${workOrder.title}`,
    facts.join(' '),
    workOrder.markdown_content.trim(),
    ...(plan ? ['## Implementation plan', plan.markdown_content.trim(), files.join('\n')] : []),
    ...(said.length > 0 ? ['## Comments', ...said] : []),
  ].filter(Boolean)
}

function connectedPart({ resourceType, title, markdown_content }: Connected, about: string, room: number): string {
  const head = `## Connected ${resourceType.replaceAll('_', ' ')}: ${title ?? ''}`.trim()
  if (!markdown_content?.trim()) return head
  const whole = `${head}\n\n${quote(markdown_content.trim())}`
  if (whole.length <= room) return whole
  const parts: string[] = []
  let left = room - head.length
  for (const section of rankSections(markdown_content, about)) {
    const part = `From ${placeOf(section)}:\n\n${quote(section.text)}`
    if (part.length + 2 > left) continue
    left -= part.length + 2
    parts.push(part)
  }
  return [head, ...parts, '(shortened)'].join('\n\n')
}

/** Text of others is quoted, so that an agent does not take it for instructions. */
const quote = (text: string) =>
  text
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n')

/** Connects a coding agent, which then reads the work order itself. */
export const mcpCommand = () => `claude mcp add --transport http \\\n  slipway ${location.origin}/mcp`

/** Prints the same context for any other agent. */
export const cliCommand = (number: number, budget: number) => `npx slipway wo context ${number} --budget ${budget}`

async function loadBundle(projectId: string, { id, work_order_number }: WorkOrderRow): Promise<string> {
  const [workOrder, comments] = await Promise.all([
    queryClient.ensureQueryData(workOrderQuery(projectId, work_order_number)),
    queryClient.ensureQueryData(commentsQuery(projectId, id)),
  ])
  return bundleOf(workOrder, comments, DEFAULT_BUDGET).text
}

export async function loadBundles(projectId: string, rows: WorkOrderRow[]): Promise<string> {
  const texts: string[] = []
  for (let at = 0; at < rows.length; at += AT_ONCE)
    texts.push(...(await Promise.all(rows.slice(at, at + AT_ONCE).map((row) => loadBundle(projectId, row)))))
  return texts.join('\n---\n\n')
}
