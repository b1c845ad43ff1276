import type { Describe } from '../../activity/entries.ts'
import type { InboxReport } from './api.ts'

interface Payload {
  from?: string
  to?: string
  theme_number?: number
  title?: string
  reason?: string
}

/** What happened to a report, and why. */
export const describeReport: Describe = ({ kind, payload }) => {
  const { to, theme_number, title, reason } = payload as Payload
  if (kind === 'feedback_item.submitted') return 'received it'
  if (kind === 'feedback_item.status_changed') return to === 'processed' ? 'processed it' : 'put it back to process'
  if (kind === 'feedback_item.regrouped')
    return `moved it to TH-${theme_number} “${title}”${reason ? `: ${reason.replaceAll('*', '')}` : ''}`
  return undefined
}

/** Which theme was suggested for a report, and why. It changes nothing, so no change says it. */
export function suggestionOf({ id, candidates, suggested_at: at }: InboxReport) {
  const found = candidates.find((one) => one.is_suggested)
  if (!found || !at) return undefined
  const { display_id, title, shared_words: shared, score } = found
  const why = shared.length > 0 ? `it shares ${shared.join(', ')}` : 'it means much the same in other words'
  const actor = { type: 'system', id: null, name: 'Feedback triage', on_behalf_of: null } as const
  const words = `suggested ${display_id} “${title}”: ${why}, score ${score.toFixed(2)}`
  return { kind: 'change' as const, id: `suggested ${id}`, at, actor, words }
}
