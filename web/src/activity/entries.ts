import type { Change } from '@slipway/sdk'
import type { ReactNode } from 'react'

/** What someone said, which stands between the changes. */
export interface Said {
  id: string
  created_at: string
  author: { id: string; name: string } | null
}

/** What happened, as the end of a sentence that begins with who did it. Undefined if there is nothing to say. */
export type Describe = (change: Change) => ReactNode | undefined

export type Entry<S extends Said> =
  | { kind: 'comment'; id: string; at: string; comment: S; actor: Change['actor'] }
  | { kind: 'change'; id: string; at: string; actor: Change['actor']; words: ReactNode }

/**
 * Comments and changes in one line of time. While older changes are not loaded, comments that are older than all loaded
 * ones wait too, so that nothing appears before what it followed.
 */
export function entriesOf<S extends Said>(comments: S[], changes: Change[], isWhole: boolean, describe: Describe) {
  const oldestFirst = changes.toReversed()
  const writers = new Map(
    oldestFirst.flatMap(({ kind, payload, actor }) =>
      kind.endsWith('.commented') ? [[(payload as { comment_id?: string }).comment_id, actor] as const] : [],
    ),
  )
  const start = isWhole ? '' : (oldestFirst[0]?.created_at ?? '')
  const said = comments
    .filter(({ created_at }) => created_at >= start)
    .map((comment): Entry<S> => {
      const actor = writers.get(comment.id) ?? personOf(comment)
      return { kind: 'comment', id: comment.id, at: comment.created_at, comment, actor }
    })
  const done = oldestFirst.flatMap((change) => {
    const words = describe(change)
    return words === undefined ? [] : [{ change, words }]
  })
  const shown = done
    .filter((one, index) => !isRepeated(one, done[index + 1]))
    .map(({ change: { id, created_at: at, actor }, words }): Entry<S> => ({ kind: 'change', id, at, actor, words }))
  return [...said, ...shown].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
}

const personOf = ({ author }: Said): Change['actor'] => ({
  type: 'person',
  id: author?.id ?? null,
  name: author?.name ?? 'Someone who left',
  on_behalf_of: null,
})

const TOGETHER_MS = 10 * 60_000

interface Done {
  change: Change
  words: ReactNode
}

/** The same person edits the same text again. */
function isRepeated({ change, words }: Done, next: Done | undefined): boolean {
  if (!next || next.change.kind !== change.kind || !change.kind.endsWith('.updated')) return false
  const isSame = next.words === words && JSON.stringify(next.change.actor) === JSON.stringify(change.actor)
  return isSame && Date.parse(next.change.created_at) - Date.parse(change.created_at) <= TOGETHER_MS
}
