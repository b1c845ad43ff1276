import { countOf } from '../../lib/numbers.ts'
import type { Run, RunPage } from '../api.ts'

/** What became of a run, in a few words for a list. */
export function outcomeOf(run: Run): string {
  const changes = run.change_count + run.accepted_count
  if (run.status === 'scheduled') return 'waits for its turn'
  if (run.status === 'running') return run.cancel_requested ? 'stopping' : 'running'
  if (run.status === 'cancelled') return changes > 0 ? `${countOf(changes, 'change')}, then cancelled` : 'cancelled'
  if (run.status === 'failed') return changes > 0 ? `${countOf(changes, 'change')}, then stopped` : 'failed'
  if (run.proposed_count > 0)
    return `${countOf(run.proposed_count, 'proposal')} ${run.proposed_count === 1 ? 'waits' : 'wait'}`
  const [only] = run.changes
  if (run.change_count === 1 && run.accepted_count === 0 && only?.title) return only.title
  return changes > 0 ? countOf(changes, 'change') : 'nothing to change'
}

/** The heading of its page. */
export function headingOf(run: RunPage): string {
  const waiting = run.writes.filter(({ status }) => status === 'proposed').length
  const done = run.writes.filter(({ status }) => status === 'done' || status === 'accepted').length
  const changes = done || run.changes.length
  if (run.status === 'scheduled') return 'Waits for its turn'
  if (run.status === 'running') return run.cancel_requested ? 'Stopping' : 'Running'
  if (run.status === 'cancelled') return changes > 0 ? `Cancelled after ${countOf(changes, 'change')}` : 'Cancelled'
  if (run.status === 'failed')
    return changes > 0 ? `Stopped after ${countOf(changes, 'change')}` : 'It could not finish'
  if (waiting > 0)
    return `${countOf(waiting, 'proposal')} ${waiting === 1 ? 'waits' : 'wait'} for ${run.may.review ? 'you' : 'approval'}`
  if (changes > 0) return countOf(changes, 'change')
  return run.writes.length > 0 ? 'Everything is decided' : 'Nothing to change'
}

export const durationMs = (run: Pick<Run, 'started_at' | 'completed_at'>, now = Date.now()): number | undefined =>
  run.started_at === null
    ? undefined
    : (run.completed_at ? Date.parse(run.completed_at) : now) - Date.parse(run.started_at)
