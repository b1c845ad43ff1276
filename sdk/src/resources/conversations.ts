import * as op from '../generated/operations/agent-conversations.ts'
import type { Body, Call, FollowOptions, Options, Query, Schemas } from '../operation.ts'

export type Conversation = Schemas['AgentConversation']
export type ConversationSummary = Schemas['AgentConversationSummary']
export type ConversationMessage = Schemas['AgentConversationMessage']
export type ConversationRow = Schemas['AgentConversationRow']
export type ConversationTranscript = Schemas['AgentConversationTranscript']
export type ConversationEntry = Schemas['AgentConversationEntry']
export type ConversationProposal = Schemas['AgentConversationProposal']

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
  /** List your conversations and those that others share. */
  listReadable: (query: Query<'listReadableConversations'> = {}, options?: Options) =>
    call(op.listReadableConversations, { query }, options),
  /** Say whether agents can answer. */
  getModel: (options?: Options) => call(op.getAgentModel, {}, options),
  /** Read a conversation as its page shows it. */
  getTranscript: (id: string, query: Query<'readAgentConversationTranscript'> = {}, options?: Options) =>
    call(op.readAgentConversationTranscript, { path: { conversation_id: id }, query }, options),
  /** Rename or share a conversation, or choose its model. */
  change: (id: string, body: Body<'changeAgentConversation'>, options?: Options) =>
    call(op.changeAgentConversation, { path: { conversation_id: id }, body }, options),
  /** Delete a conversation. */
  delete: (id: string, options?: Options) =>
    call(op.deleteAgentConversation, { path: { conversation_id: id } }, options),
  /** Ask again with another message. */
  branch: (id: string, body: Body<'branchAgentConversation'>, options?: Options) =>
    call(op.branchAgentConversation, { path: { conversation_id: id }, body }, options),
  /** Take back a message that waits for an answer to end. */
  takeQueued: (id: string, messageId: string, options?: Options) =>
    call(op.takeQueuedMessage, { path: { conversation_id: id, message_id: messageId } }, options),
  /** Do what an agent proposes. */
  accept: (id: string, proposalId: string, options?: Options) =>
    call(op.acceptAgentConversationProposal, { path: { conversation_id: id, proposal_id: proposalId } }, options),
  /** Reject what an agent proposes. */
  reject: (id: string, proposalId: string, options?: Options) =>
    call(op.rejectAgentConversationProposal, { path: { conversation_id: id, proposal_id: proposalId } }, options),
  /** Ask the agent to stop. */
  stop: (id: string, options?: Options) => call(op.stopAgentConversation, { path: { conversation_id: id } }, options),
  /**
   * Follow a conversation: `message` when one is stored, `text` as words are said, `end` when no turn is running.
   * `lastEventId` is the id of the last event seen.
   */
  follow: (id: string, options?: FollowOptions) =>
    call.stream(op.streamAgentConversation, { path: { conversation_id: id } }, options),
})
