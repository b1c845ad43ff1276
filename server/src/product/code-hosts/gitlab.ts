import type { PullRequestState } from './code-host.ts'
import { type Happening, listOf, type Payload, readPush, textOf, timeOf, urlOf } from './happening.ts'

const STATES: Record<string, PullRequestState> = { merged: 'merged', closed: 'closed' }

/** Understands push and merge request events. Undefined for everything else. */
export function readGitlab(payload: Payload): Happening | undefined {
  const repository = textOf(payload?.project?.path_with_namespace, 500)
  if (payload?.object_kind === 'push')
    return readPush({
      repository,
      ref: textOf(payload.ref, 500),
      commitId: textOf(payload.after, 100),
      pushedBy: textOf(payload.user_name, 500),
      commits: listOf(payload.commits),
    })
  const merge = payload?.object_attributes
  if (payload?.object_kind !== 'merge_request' || !repository || !Number.isInteger(merge?.iid)) return undefined
  const isDraft = merge.draft === true || merge.work_in_progress === true
  const state = STATES[merge.state] ?? (isDraft ? 'draft' : 'open')
  const leavesDraft = merge.action === 'update' && payload.changes?.draft?.current === false
  const isIntoMain = merge.target_branch === payload.project.default_branch
  return {
    codes: [
      {
        code: {
          kind: 'pull_request',
          repository,
          reference: String(merge.iid),
          title: textOf(merge.title, 500) || `!${merge.iid}`,
          url: urlOf(merge.url),
          author: textOf(payload.user?.name, 500) || null,
          state,
          changedAt: timeOf(merge.updated_at),
        },
        texts: [textOf(merge.title, 1_000), textOf(merge.description, 100_000), textOf(merge.source_branch, 500)],
      },
    ],
    ...(state === 'open' && (['open', 'reopen'].includes(merge.action) || leavesDraft) && { move: 'in_review' }),
    ...(state === 'merged' && merge.action === 'merge' && isIntoMain && { move: 'completed' }),
  }
}
