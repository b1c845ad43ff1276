import { inTransaction } from '../../kernel/database/index.ts'
import type { JobDeps } from '../../kernel/slice.ts'
import { endTurn, listAbandonedTurns, lockAbandonedTurn, type TurnRef } from './turns/turn-queries.ts'
import { appendEvents } from './writes.ts'

/** Ends turns whose node is gone. What was committed stays, and the conversation can continue. */
export async function endAbandonedTurns(deps: JobDeps): Promise<void> {
  for (const ref of await listAbandonedTurns(deps.db)) await endAbandonedTurn(deps, ref)
}

/** Does nothing if its node has spoken since, or if somebody else has ended it. */
export const endAbandonedTurn = (deps: JobDeps, ref: TurnRef) =>
  inTransaction(deps, async ({ db }) => {
    if (!(await lockAbandonedTurn(db, ref))) return
    const text = 'I could not finish. The server that I ran on stopped in the middle.'
    await appendEvents(db, ref, [{ kind: 'assistant', text, isFinal: true }])
    await endTurn(db, ref)
  })
