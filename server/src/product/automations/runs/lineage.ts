import type { AgentScope } from '../../../kernel/context.ts'
import type { Db } from '../../../kernel/database/index.ts'
import { isUuid } from '../../../kernel/uuid.ts'
import { conversationOfRequest } from '../../conversations/index.ts'
import { findRun } from './run-queries.ts'

interface Deed {
  projectId: string
  origin: string
  requestId: string
  agent?: AgentScope | undefined
}

/** What led to a deed. */
export interface Lineage {
  /** The automations whose runs led to it. None of them may be started by it. */
  lineage: string[]
  /** The chain of causes. Null if a person began it. */
  chainId: string | null
  depth: number
}

/**
 * Returns what led to an event or a call. Runs are found by the run id that their changes carry. Without this, two
 * automations that react to each other would never end. A client that sends such an id itself does not count.
 */
export async function lineageOf(db: Db, { projectId, origin, requestId, agent }: Deed): Promise<Lineage> {
  const isMachine = origin === 'automation' || origin === 'agent'
  // A person who accepts what an agent proposed has a request of their own.
  const runId = agent?.via?.runId ?? (isMachine && isUuid(requestId) ? requestId : undefined)
  const run = runId === undefined ? undefined : await findRun(db, projectId, runId)
  if (run) return { lineage: [...run.lineage, run.automationId], chainId: run.chainId, depth: run.depth + 1 }
  if (agent) return { lineage: [], chainId: agent.chainId, depth: agent.depth + 1 }
  // An event that the agent of a conversation caused. The conversation begins the chain.
  const conversationId = origin === 'agent' ? await conversationOfRequest(db, projectId, requestId) : undefined
  if (conversationId !== undefined) return { lineage: [], chainId: conversationId, depth: 1 }
  return { lineage: [], chainId: null, depth: 0 }
}
