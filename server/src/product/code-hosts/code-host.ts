import type { Actor } from '../../kernel/context.ts'
import { forbidden } from '../../kernel/errors.ts'

export const CODE_HOST_KINDS = ['github', 'gitlab'] as const
export type CodeHostKind = (typeof CODE_HOST_KINDS)[number]

/** Receives pushes and pull requests from GitHub or GitLab. */
export interface CodeHost {
  id: string
  kind: CodeHostKind
  name: string
  /** An opened pull request moves its work orders to `in_review`. */
  reviewsOpened: boolean
  /** A pull request that is merged into the main branch completes its work orders. */
  completesMerged: boolean
  createdAt: string
  lastReceivedAt: string | null
}

export const CODE_KINDS = ['commit', 'pull_request'] as const
export const PULL_REQUEST_STATES = ['draft', 'open', 'merged', 'closed'] as const
export type PullRequestState = (typeof PULL_REQUEST_STATES)[number]

/** A commit or a pull request. */
export interface Code {
  kind: (typeof CODE_KINDS)[number]
  repository: string
  /** The hash of a commit, the number of a pull request. */
  reference: string
  title: string
  url: string
  author: string | null
  state: PullRequestState | null
  changedAt: string
}

export function authorizeCodeHosts(actor: Actor): void {
  if (actor.projectRole === 'admin') return
  throw forbidden('not_admin', 'Only an admin of the project may see and change its code hosts.')
}

export const presentCodeHost = (host: CodeHost, baseUrl: string) => ({
  object: 'code_host' as const,
  id: host.id,
  kind: host.kind,
  name: host.name,
  url: `${baseUrl}/v2/hooks/${host.kind}/${host.id}`,
  review_opened: host.reviewsOpened,
  complete_merged: host.completesMerged,
  created_at: host.createdAt,
  last_received_at: host.lastReceivedAt,
})

export const presentCode = (code: Code) => ({
  object: 'work_order_code' as const,
  kind: code.kind,
  repository: code.repository,
  reference: code.reference,
  title: code.title,
  url: code.url,
  author: code.author,
  state: code.state,
  changed_at: code.changedAt,
})
