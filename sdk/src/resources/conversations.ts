import * as op from '../generated/operations/agent-conversations.ts'
import type { Body, Call, FollowOptions, Options, Query, Schemas } from '../operation.ts'

export type Conversation = Schemas['AgentConversation']
export type ConversationSummary = Schemas['AgentConversationSummary']
export type ConversationMessage = Schemas['AgentConversationMessage']

export const conversations = (call: Call) => ({
  /** List your conversations with agents. */
  list: (query: Query<'listAgentConversations'> = {}, options?: Options) =>
    call(op.listAgentConversations, { query }, options),
  /** Read one of your conversations. */
  get: (id: string, query: Query<'getAgentConversation'> = {}, options?: Options) =>
    call(op.getAgentConversation, { path: { conversation_id: id }, query }, options),
})

/** With what only people who are signed in can do. */
export const ownConversations = (call: Call) => ({
  ...conversations(call),
  /** Start a conversation with the agent. */
  start: (body: Body<'startAgentConversation'>, options?: Options) =>
    call(op.startAgentConversation, { body }, options),
  /** Send a message to the agent. */
  send: (id: string, body: Body<'sendAgentConversationMessage'>, options?: Options) =>
    call(op.sendAgentConversationMessage, { path: { conversation_id: id }, body }, options),
  /** Ask the agent to stop. */
  stop: (id: string, options?: Options) => call(op.stopAgentConversation, { path: { conversation_id: id } }, options),
  /**
   * Follow a conversation: `message` when one is stored, `text` as words are said, `end` when no turn is running.
   * `lastEventId` is the id of the last event seen.
   */
  follow: (id: string, options?: FollowOptions) =>
    call.stream(op.streamAgentConversation, { path: { conversation_id: id } }, options),
})
