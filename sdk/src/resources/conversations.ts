import type { Body, Call, FollowOptions, Options, Query, Schemas } from '../operation.ts'

export type Conversation = Schemas['AgentConversation']
export type ConversationSummary = Schemas['AgentConversationSummary']
export type ConversationMessage = Schemas['AgentConversationMessage']

export const conversations = (call: Call) => ({
  /** List your conversations with agents. */
  list: (query: Query<'listAgentConversations'> = {}, options?: Options) =>
    call('listAgentConversations', { query }, options),
  /** Read one of your conversations. */
  get: (id: string, query: Query<'getAgentConversation'> = {}, options?: Options) =>
    call('getAgentConversation', { path: { conversation_id: id }, query }, options),
})

/** What only a signed-in person can do. */
export const talks = (call: Call) => ({
  /** Start a conversation with the agent. */
  start: (body: Body<'startAgentConversation'>, options?: Options) => call('startAgentConversation', { body }, options),
  /** Send a message to the agent. */
  send: (id: string, body: Body<'sendAgentConversationMessage'>, options?: Options) =>
    call('sendAgentConversationMessage', { path: { conversation_id: id }, body }, options),
  /** Ask the agent to stop. */
  stop: (id: string, options?: Options) => call('stopAgentConversation', { path: { conversation_id: id } }, options),
  /**
   * Follow a conversation: `message` when one is stored, `text` as words are said, `end` when no turn is running.
   * `lastEventId` is the id of the last event seen.
   */
  follow: (id: string, options?: FollowOptions) =>
    call.stream('streamAgentConversation', { path: { conversation_id: id } }, options),
})
