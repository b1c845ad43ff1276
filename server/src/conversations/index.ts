import type { Slice } from '../kernel/slice.ts'

/**
 * People and agents talking: conversations with their events, and the agents that run the tools which slices offer. Why
 * an agent runs belongs to whoever asks for it.
 */
export const conversations: Slice = {
  name: 'conversations',
}

export {
  type AgentOutcome,
  type AgentRequest,
  type Change,
  type ConversationOrigin,
  recordWork,
  runAgent,
  type WorkDone,
} from './agent.ts'
export {
  presentToolKit,
  RESTRICTIONS,
  type Restriction,
  TOOL_DOMAINS,
  type ToolDomain,
  type ToolKit,
  ToolKitBody,
  ToolKitShape,
  toToolKit,
} from './tool-kit.ts'
