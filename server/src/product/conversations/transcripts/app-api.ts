import { operation } from '../../../kernel/http/operation.ts'
import type { Face } from '../../../kernel/http/request.ts'
import { Empty } from '../../../kernel/http/schema.ts'
import { describeModels } from '../models/project-model.ts'
import { ConversationParams as params } from '../schema.ts'
import { changeTalk, deleteConversation, takeFromQueue } from './keeping.ts'
import { decideProposal } from './proposals.ts'
import * as schema from './schema.ts'
import { listRows, readTranscript } from './transcript.ts'

const tags = ['Agent conversations']

/** Routes of the pages on which people read, keep and decide about conversations. */
export function registerTranscriptRoutes(face: Face) {
  registerReadRoutes(face)
  registerKeepRoutes(face)
  registerProposalRoutes(face)
}

function registerReadRoutes(face: Face) {
  face.get(
    '/agent_conversations/readable',
    operation({
      id: 'listReadableConversations',
      summary: 'List your conversations and those that others share',
      description: 'The last changed first, without those of subagents, with everything that a list shows.',
      tags,
      query: schema.RowsQuery,
      answer: schema.Rows,
      refuses: [400],
    }),
    async (req) => {
      const { query = '', origin, page_size, cursor } = req.query
      return await listRows(req.ctx, { query, origin, pageSize: page_size, cursor })
    },
  )

  face.get(
    '/agent_conversations/model',
    operation({ id: 'getAgentModel', summary: 'Say whether agents can answer', tags, answer: schema.AgentModel }),
    async (req) => {
      const { isSet, name, priced } = await describeModels(req.ctx, req.ctx.actor.projectId)
      return { data: { is_configured: isSet, name, known: priced } }
    },
  )

  face.get(
    '/agent_conversations/:conversation_id/transcript',
    operation({
      id: 'readAgentConversationTranscript',
      summary: 'Read a conversation as its page shows it',
      description: 'The newest entries, with calls of tools; `before` leads to earlier ones.',
      tags,
      params,
      query: schema.TranscriptQuery,
      answer: schema.TranscriptData,
    }),
    async (req) => ({ data: await readTranscript(req.ctx, req.params.conversation_id, req.query.before) }),
  )
}

function registerKeepRoutes(face: Face) {
  face.patch(
    '/agent_conversations/:conversation_id',
    operation({
      id: 'changeAgentConversation',
      summary: 'Rename or share a conversation, or choose its model',
      description: 'For the person who began it.',
      tags,
      params,
      body: schema.ChangeBody,
      answer: schema.TranscriptData,
    }),
    async (req) => {
      const { title, shared, model, expected_title } = req.body
      const change = {
        ...(title !== undefined && { title }),
        ...(shared !== undefined && { isShared: shared }),
        ...(model !== undefined && { model }),
      }
      await changeTalk(req.ctx, req.params.conversation_id, change, expected_title)
      return { data: await readTranscript(req.ctx, req.params.conversation_id, undefined) }
    },
  )

  face.delete(
    '/agent_conversations/:conversation_id',
    operation({
      id: 'deleteAgentConversation',
      summary: 'Delete a conversation',
      description: 'For the person who began it. The record of a run stays.',
      tags,
      params,
      answers: { 204: Empty },
      refuses: [409],
    }),
    async (req, reply) => {
      await deleteConversation(req.ctx, req.params.conversation_id)
      return reply.code(204).send(null)
    },
  )

  face.delete(
    '/agent_conversations/:conversation_id/queue/:message_id',
    operation({
      id: 'takeQueuedMessage',
      summary: 'Take back a message that waits for an answer to end',
      tags,
      params: schema.QueuedParams,
      answer: schema.QueuedData,
    }),
    async (req) => ({
      data: (await takeFromQueue(req.ctx, req.params.conversation_id, req.params.message_id)) ?? null,
    }),
  )
}

function registerProposalRoutes(face: Face) {
  for (const verb of ['accept', 'reject'] as const)
    face.post(
      `/agent_conversations/:conversation_id/proposals/:proposal_id/${verb}`,
      operation({
        id: `${verb}AgentConversationProposal`,
        summary: verb === 'accept' ? 'Do what an agent proposes' : 'Reject what an agent proposes',
        description: 'For the person who talks to the agent. It is done with their rights.',
        tags,
        params: schema.ProposalParams,
        answer: schema.TranscriptData,
        refuses: [409],
      }),
      async (req) => {
        const { conversation_id: id, proposal_id } = req.params as { conversation_id: string; proposal_id: string }
        await decideProposal(req.ctx, id, proposal_id, verb === 'accept')
        return { data: await readTranscript(req.ctx, id, undefined) }
      },
    )
}
