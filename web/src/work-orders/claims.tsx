import type { WorkOrderClaim } from '@slipway/sdk'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { cx } from '../lib/cx.ts'
import { IconLock } from '../ui/icons.ts'
import { claimsQuery } from './api.ts'
import css from './claims.module.css'
import type { Claimed } from './rows/rows.ts'
import type { WorkOrderRow } from './work-order.ts'

const TICK_MS = 10_000
/** Its holder should have renewed it by then. */
export const SHORT_MS = 2 * 60_000

/** The time, which goes on only while it matters. */
export function useNow(isTicking: boolean): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (!isTicking) return undefined
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [isTicking])
  return now
}

export function lengthOf(ms: number): string {
  const minutes = Math.ceil(ms / 60_000)
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** Who has it: how the agent calls itself, and whom it works for. */
export const claimer = ({ holder, agent }: WorkOrderClaim) =>
  [holder, isRenamed({ holder, agent }) && `(${agent!.name})`, agent?.acts_as && `for ${agent.acts_as.display_name}`]
    .filter(Boolean)
    .join(' ')

/** Whether an agent claimed it under another name than that of its app, MCP client or key. */
export const isRenamed = ({ holder, agent }: Pick<WorkOrderClaim, 'holder' | 'agent'>) =>
  agent !== null && agent.name !== holder

/** The ids of what is claimed now. The same set until that changes. */
export function useClaimed(projectId: string): Claimed {
  const claims = useQuery(claimsQuery(projectId)).data
  const ids = (claims ?? []).map((one) => one.work_order_id).join()
  return useMemo(() => new Set(ids ? ids.split(',') : []), [ids])
}

/** Which agent has a work order for itself, and how long still. Only what is in progress can be claimed. */
export const ClaimChip = ({ row, projectId }: { row: WorkOrderRow; projectId: string }) =>
  row.status === 'in_progress' ? <Chip id={row.id} projectId={projectId} /> : null

function Chip({ id, projectId }: { id: string; projectId: string }) {
  const claim = useQuery(claimsQuery(projectId)).data?.find(({ work_order_id }) => work_order_id === id)
  const leftMs = Date.parse(claim?.expires_at ?? '') - useNow(claim !== undefined)
  if (!claim || leftMs <= 0) return null
  return (
    <span className={cx(css.chip, leftMs < SHORT_MS && css.short)} title={`Claimed by ${claimer(claim)}`}>
      <IconLock size={12} stroke={2} />
      <span className={css.holder}>{claim.holder}</span>
      {lengthOf(leftMs)}
    </span>
  )
}
