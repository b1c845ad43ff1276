import type { RecordedEvent } from '../../../kernel/events.ts'
import type { JobDeps } from '../../../kernel/slice.ts'
import { FEEDBACK_TRIAGE } from '../built-in.ts'
import { explainEnd } from './run-conversation.ts'
import { findRunThatSorted } from './run-queries.ts'

/** Tells in the conversation of the run that sorted an item where regrouping has moved it since. */
export async function noteRegrouped(event: RecordedEvent, deps: JobDeps): Promise<void> {
  const { projectId, subjectId } = event
  const run = await findRunThatSorted(deps.db, projectId, FEEDBACK_TRIAGE, subjectId)
  if (!run || run.conversationId === null) return
  const { feedback_number, theme_number, title, reason } = event.payload as Record<string, string>
  const reply = `FB-${feedback_number} is now in TH-${theme_number} "${title}". ${reason ?? ''}`.trim()
  await explainEnd(deps, projectId, run, reply, 'succeeded')
}
