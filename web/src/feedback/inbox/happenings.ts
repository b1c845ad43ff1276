import type { Describe } from '../../activity/entries.ts'

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
