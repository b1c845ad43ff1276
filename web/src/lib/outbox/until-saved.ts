import { showToast } from '../toasts.ts'
import { type Outcome, reasonOf } from './write.ts'

/** Calls `done` with the answer, also if only the Retry of the message brings it. */
export async function untilSaved<Answer>(
  attempt: Promise<Outcome<Answer>>,
  failure: string,
  done: (answer: Answer) => void,
): Promise<void> {
  const outcome = await attempt
  if (outcome.state === 'saved') return done(outcome.answer)
  if (outcome.state !== 'failed') return
  const { fault, retry } = outcome
  const action = { label: 'Retry', run: () => void untilSaved(retry(), failure, done) }
  showToast({ text: failure, detail: reasonOf(fault), tone: 'error', action })
}
