import type { PullRequestState } from './code-host.ts'
import { type Happening, listOf, type Payload, readPush, textOf, timeOf, urlOf } from './happening.ts'

const READY = new Set(['opened', 'reopened', 'ready_for_review'])

/** Understands `push` and `pull_request`. Undefined for everything else. */
export function readGithub(event: string, payload: Payload): Happening | undefined {
  const repository = textOf(payload?.repository?.full_name, 500)
  if (event === 'push')
    return readPush({
      repository,
      ref: textOf(payload.ref, 500),
      commitId: textOf(payload.after, 100),
      pushedBy: textOf(payload.pusher?.name, 500),
      commits: listOf(payload.commits),
    })
  const pull = payload?.pull_request
  if (event !== 'pull_request' || !repository || !Number.isInteger(pull?.number)) return undefined
  const state: PullRequestState =
    pull.merged === true ? 'merged' : pull.state === 'closed' ? 'closed' : pull.draft === true ? 'draft' : 'open'
  const isMerge = state === 'merged' && payload.action === 'closed'
  const isIntoMain = pull.base?.ref === payload.repository.default_branch
  return {
    codes: [
      {
        code: {
          kind: 'pull_request',
          repository,
          reference: String(pull.number),
          title: textOf(pull.title, 500) || `#${pull.number}`,
          url: urlOf(pull.html_url),
          author: textOf(pull.user?.login, 500) || null,
          state,
          changedAt: timeOf(pull.updated_at),
        },
        texts: [textOf(pull.title, 1_000), textOf(pull.body, 100_000), textOf(pull.head?.ref, 500)],
      },
    ],
    ...(state === 'open' && READY.has(payload.action) && { move: 'in_review' }),
    ...(isMerge && isIntoMain && { move: 'completed' }),
  }
}
