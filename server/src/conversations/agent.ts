import type { JobDeps } from '../kernel/slice.ts'
import type { ToolKit } from './tool-kit.ts'

export const ORIGINS = ['user', 'automation', 'subagent'] as const
export type ConversationOrigin = (typeof ORIGINS)[number]

export interface AgentRequest {
  projectId: string
  /** Whose permissions it has. Someone who is no longer a member makes it fail, with that reason. */
  ownerId: string
  origin: ConversationOrigin
  /** `runId` lets the conversation show the state of the run it belongs to. */
  automation?: { id: string; name: string; runId?: string }
  title: string
  prompt: string
  system?: string
  toolKit: ToolKit
  integrationIds: string[]
  /** Null for the one the operator has chosen. */
  model: string | null
  signal?: AbortSignal
}

export interface Change {
  action: string
  resourceType: string
  resourceId: string
  title: string
}

export interface AgentOutcome {
  conversationId: string
  status: 'succeeded' | 'failed' | 'cancelled'
  /** For a person. */
  error: string | null
  model: string | null
  inputTokens: number
  outputTokens: number
  /** What it changed, in order, also when it failed in the end. */
  changes: Change[]
}

/** Runs an agent to its end. It never throws for what the model or a tool does: that is an outcome. */
export function runAgent(_deps: JobDeps, _request: AgentRequest): Promise<AgentOutcome> {
  return Promise.reject(new Error('Agents do not run yet.'))
}

export interface WorkDone {
  projectId: string
  ownerId: string
  automation?: { id: string; name: string; runId?: string }
  title: string
  prompt: string
  /** What was done and why, for a person. */
  reply: string
  status: 'succeeded' | 'failed'
}

/** Leaves a conversation about work that was done without a model. */
export function recordWork(_deps: JobDeps, _work: WorkDone): Promise<{ conversationId: string }> {
  return Promise.reject(new Error('Work is not recorded yet.'))
}
