import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { showToast } from '../../app/toasts.tsx'
import { SlipwayError } from '../../lib/client.ts'
import { queryClient } from '../../lib/query-client.ts'
import { suggestionsQuery, treeQuery } from '../api.ts'
import { documentsOf, type Kind } from '../kind.ts'
import { type Proposal, proposalsOf } from './proposals.ts'

export interface Review {
  proposals: Proposal[]
  active: Proposal | undefined
  activate(id: string | undefined): void
  /** Steps to the next one, or back. */
  step(by: 1 | -1): void
  decide(which: Proposal[], verdict: 'accept' | 'reject'): void
}

/** The open suggestions of a document. What is decided vanishes at once, and comes back if the server refuses. */
export function useReview(projectId: string, kind: Kind, id: string): Review {
  const { data } = useQuery(suggestionsQuery(projectId, kind, id))
  const [decided, setDecided] = useState<ReadonlySet<string>>(new Set())
  const [activeId, setActiveId] = useState<string>()
  const proposals = useMemo(
    () => proposalsOf(data ?? []).filter((one) => !one.changeIds.some((change) => decided.has(change))),
    [data, decided],
  )
  const activeAt = proposals.findIndex((one) => one.changeIds.includes(activeId ?? ''))
  const activate = useCallback((changeId: string | undefined) => setActiveId(changeId), [])

  const step = (by: 1 | -1) => {
    const next =
      activeAt < 0 ? (by > 0 ? 0 : proposals.length - 1) : (activeAt + by + proposals.length) % proposals.length
    setActiveId(proposals[next]?.id)
  }

  const decide = async (which: Proposal[], verdict: 'accept' | 'reject') => {
    const changes = which.flatMap(({ changeIds }) => changeIds)
    if (which.some(({ id: one }) => one === proposals[activeAt]?.id))
      setActiveId(proposals.find((one, at) => at > activeAt && !which.includes(one))?.id)
    setDecided((before) => new Set([...before, ...changes]))
    const client = documentsOf(projectId, kind)
    try {
      for (const change of changes) await settle(() => client[`${verdict}Suggestion`](id, change))
    } catch (err) {
      setDecided((before) => new Set([...before].filter((one) => !changes.includes(one))))
      const run = () => void decide(which, verdict)
      const text = verdict === 'accept' ? 'The suggestion was not accepted' : 'The suggestion was not rejected'
      showToast({ text, detail: (err as Error).message, tone: 'error', action: { label: 'Retry', run } })
    }
    void queryClient.invalidateQueries({ queryKey: suggestionsQuery(projectId, kind, id).queryKey })
    void queryClient.invalidateQueries({ queryKey: treeQuery(projectId, kind).queryKey })
  }

  return {
    proposals,
    active: proposals[activeAt],
    activate,
    step,
    decide: (which, verdict) => void decide(which, verdict),
  }
}

/** Someone else may have decided it a moment ago. Then there is nothing left to do. */
async function settle(send: () => Promise<unknown>): Promise<void> {
  try {
    await send()
  } catch (err) {
    if (!(err instanceof SlipwayError) || err.status !== 404) throw err
  }
}
