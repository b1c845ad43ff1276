import { showToast } from '../app/toasts.tsx'
import { codeOf, PRIORITY_NAMES, STATUS_NAMES, type WorkOrder, type WorkOrderRow } from './work-order.ts'

/** A work order as an agent reads it: markdown, with the text of what is connected if it is loaded. */
export function bundleOf(row: WorkOrderRow | WorkOrder): string {
  const head = [
    `# ${codeOf(row)} ${row.title}`,
    `Status: ${STATUS_NAMES[row.status]}. Priority: ${PRIORITY_NAMES[row.priority]}.`,
  ]
  if (!('markdown_content' in row)) return [...head, row.description_snippet].filter(Boolean).join('\n\n')
  const plan = row.implementation_plan
  const files = plan?.files.map((file) => `- ${file.action} \`${file.path}\`: ${file.description}`) ?? []
  const connected = row.connectedContext
    .filter((one) => one.markdown_content)
    .map((one) => `## Connected ${one.resourceType}: ${one.title}\n\n${quote(one.markdown_content!)}`)
  return [
    ...head,
    row.markdown_content,
    ...(plan ? ['## Implementation plan', plan.markdown_content, files.join('\n')] : []),
    ...connected,
  ]
    .filter(Boolean)
    .join('\n\n')
}

/** Text of others is quoted, so that an agent does not take it for instructions. */
const quote = (text: string) =>
  text
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n')

export async function copyText(text: string, done: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    showToast({ text: done })
  } catch {
    showToast({ text: 'The browser does not allow copying here.', tone: 'error' })
  }
}

export const copyForAgent = (rows: (WorkOrderRow | WorkOrder)[]) =>
  copyText(
    rows.map(bundleOf).join('\n\n---\n\n'),
    rows.length === 1 ? `${codeOf(rows[0]!)} copied for an agent` : `${rows.length} work orders copied for an agent`,
  )
