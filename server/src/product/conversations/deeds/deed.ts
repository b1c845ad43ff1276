export const DEED_STATUSES = ['begun', 'done', 'proposed', 'accepted', 'rejected', 'undone'] as const
export type DeedStatus = (typeof DEED_STATUSES)[number]

type Fields = Record<string, unknown>

/** A call with which an agent changed something, or proposes to. */
export interface Deed {
  id: string
  /** The run, or the conversation whose agent asks first. */
  runId: string
  tool: string
  input: Fields
  /** `begun`: the server stopped before it knew the end, or has not reached it. */
  status: DeedStatus
  resourceType: string | null
  resourceId: string | null
  /** What the call changed, as it was and as it became. Null if there was nothing, or nothing is left. */
  before: Fields | null
  after: Fields | null
  /** The proposals of the same run whose results it refers to. */
  dependsOn: string[]
  /** Why it was rejected, if no person did. */
  reason: string | null
  decidedBy: string | null
  decidedAt: string | null
  createdAt: string
}

export type Seen = Pick<Deed, 'before' | 'after' | 'resourceType' | 'resourceId'>
