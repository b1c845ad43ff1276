export const DEED_STATUSES = ['done', 'proposed', 'accepted', 'rejected', 'undone'] as const
export type DeedStatus = (typeof DEED_STATUSES)[number]

type Fields = Record<string, unknown>

/** A call with which an agent changed something, or proposes to. */
export interface Deed {
  id: string
  runId: string
  tool: string
  input: Fields
  status: DeedStatus
  resourceType: string | null
  resourceId: string | null
  /** What the call changed, as it was and as it became. Null if there was nothing, or nothing is left. */
  before: Fields | null
  after: Fields | null
  decidedBy: string | null
  decidedAt: string | null
  createdAt: string
}
