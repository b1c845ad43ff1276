import type { Change } from '@slipway/sdk'
import { STATUS_NAMES, type Status } from './work-order.ts'

export const FIELD_WORDS: Record<string, string> = {
  title: 'the title',
  markdown_content: 'the description',
  implementation_plan: 'the plan',
  priority: 'the priority',
  type: 'the type',
  phase: 'the phase',
  assignee: 'the assignee',
  labels: 'the labels',
  connectedContext: 'the connections',
}

/** A change in a few words, for those who do not see the work order. */
export function announceChange({ kind, payload }: Change, code: string): string {
  switch (kind) {
    case 'work_order.created':
      return `created ${code}`
    case 'work_order.deleted':
      return `deleted ${code}`
    case 'work_order.commented':
      return `commented on ${code}`
    case 'work_order.claimed':
      return `claimed ${code}`
    case 'work_order.claim_ended':
      return `ended the claim on ${code}`
    case 'work_order.code_linked':
      return `linked code to ${code}`
    case 'work_order.status_changed':
      return `moved ${code} to ${STATUS_NAMES[payload.to as Status] ?? String(payload.to)}`
    case 'work_order.updated': {
      const [first] = (payload.fields as string[] | undefined) ?? []
      return first && FIELD_WORDS[first] ? `changed ${FIELD_WORDS[first]} of ${code}` : `changed ${code}`
    }
    default:
      return `changed ${code}`
  }
}
