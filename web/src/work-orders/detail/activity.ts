import type { Change } from '@slipway/sdk'
import type { WorkOrderComment } from '../work-order.ts'
import { describeChange, withoutRepeats } from './happenings.tsx'

export type Entry =
  | { kind: 'comment'; id: string; at: string; comment: WorkOrderComment; actor: Change['actor'] }
  | { kind: 'change'; id: string; at: string; change: Change }

/**
 * Comments and changes in one line of time. While older changes are not loaded, comments that are older than all loaded
 * ones wait too, so that nothing appears before what it followed.
 */
export function entriesOf(comments: WorkOrderComment[], changes: Change[], isWhole: boolean): Entry[] {
  const oldestFirst = changes.toReversed()
  const writers = new Map(
    oldestFirst.flatMap(({ kind, payload, actor }) =>
      kind === 'work_order.commented' ? [[(payload as { comment_id: string }).comment_id, actor] as const] : [],
    ),
  )
  const start = isWhole ? '' : (oldestFirst[0]?.created_at ?? '')
  const said = comments
    .filter(({ created_at }) => created_at >= start)
    .map((comment): Entry => {
      const actor = writers.get(comment.id) ?? personOf(comment)
      return { kind: 'comment', id: comment.id, at: comment.created_at, comment, actor }
    })
  const done = withoutRepeats(oldestFirst)
    .filter((change) => describeChange(change) !== undefined)
    .map((change): Entry => ({ kind: 'change', id: change.id, at: change.created_at, change }))
  return [...said, ...done].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
}

const personOf = ({ author }: WorkOrderComment): Change['actor'] => ({
  type: 'person',
  id: author?.id ?? null,
  name: author?.name ?? 'Someone who left',
  on_behalf_of: null,
})
