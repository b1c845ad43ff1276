import { SlipwayError } from '../../lib/client.ts'
import { defineWrite } from '../../lib/outbox/index.ts'
import { queryClient } from '../../lib/query-client.ts'
import { createStore } from '../../lib/store.ts'
import { reviewQuery, treeQuery } from '../api.ts'
import { documentsOf, type Kind } from '../kind.ts'

interface Decision {
  kind: Kind
  id: string
  verdict: 'accept' | 'reject'
  changes: string[]
  /** What they said when they were decided, if that is known of all. */
  texts: string[] | undefined
}

/** The suggestions that this tab has decided. They are not shown, although the text may still have them for a moment. */
export const decidedChanges = createStore<ReadonlySet<string>>(new Set())

export const setDecided = (changes: string[], isDecided: boolean) =>
  decidedChanges.set((before) => {
    const others = [...before].filter((one) => !changes.includes(one))
    return new Set(isDecided ? [...others, ...changes] : others)
  })

export function reloadReview(projectId: string, { kind, id }: { kind: Kind; id: string }): void {
  void queryClient.invalidateQueries({ queryKey: reviewQuery(projectId, kind, id).queryKey })
  void queryClient.invalidateQueries({ queryKey: treeQuery(projectId, kind).queryKey })
}

/** It is about the text as it is now, so it never waits. */
export const decideChanges = defineWrite<Decision, void>({
  name: 'documents.decide',
  waits: false,
  about: ({ id }) => ({ subjects: [`suggestions-${id}`] }),
  async send({ kind, id, verdict, changes, texts }, { projectId, key }) {
    const body = { change_ids: changes, ...(texts && { texts }) }
    try {
      await documentsOf(projectId, kind)[`${verdict}AllSuggestions`](id, body, { idempotencyKey: key })
    } catch (err) {
      // Someone else has decided it a moment ago. Then there is nothing left to do.
      if (!(err instanceof SlipwayError) || err.status !== 404) throw err
    }
  },
  show: ({ changes }) => setDecided(changes, true),
  hide({ changes, ...place }, projectId) {
    setDecided(changes, false)
    reloadReview(projectId, place)
  },
  saved: (_, input, { projectId }) => reloadReview(projectId, input),
})
