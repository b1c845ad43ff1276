import { Type } from 'typebox'
import { LAST_NUMBER, lastSeen, openEventStream } from '../../kernel/http/answers/event-stream.ts'
import { operation } from '../../kernel/http/operation.ts'
import type { Face } from '../../kernel/http/request.ts'
import { FilledText, Nullable, Text, Title } from '../../kernel/http/schema.ts'
import { presentDetail } from './external-api.ts'
import { followConversation } from './reading/following.ts'
import { loadConversation, loadReadableConversation, readContent } from './reading/reading.ts'
import * as schema from './schema.ts'
import { branchConversation, createTalks, sendMessage, startConversation, stopTurn } from './talking.ts'
import { ToolKitBody, toToolKit } from './tool-kit.ts'
import { registerTranscriptRoutes } from './transcripts/app-api.ts'
import type { TurnRef } from './turns/turn-queries.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** A turn to run after the request that started it is committed and answered. */
    begun?: TurnRef
  }
}

const tags = ['Agent conversations']

const StartBody = Type.Object({
  message: FilledText(100_000),
  title: Type.Optional(Nullable(Title())),
  model: Type.Optional(Nullable(Text(200))),
  integration_ids: Type.Optional(Type.Array(Text(200), { maxItems: 50 })),
  integration_tools: Type.Optional(
    Type.Record(Text(200), Type.Array(Text(200), { maxItems: 200 }), {
      description: 'The tools that the agent may use, by integration. All of an integration that is not named.',
    }),
  ),
  tool_kit: Type.Optional(ToolKitBody),
  asks_first: Type.Boolean({
    default: false,
    description: 'The agent only proposes what it would change, and the person decides.',
  }),
})
const MessageBody = Type.Object({
  message: FilledText(100_000),
  queue: Type.Boolean({ default: false, description: 'While the agent is busy, send it when the agent has answered.' }),
})
const BranchBody = Type.Object({
  number: Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'Of the message to replace.' }),
  message: FilledText(100_000),
})
const StreamQuery = Type.Object({
  after: Type.Integer({
    minimum: 0,
    maximum: LAST_NUMBER,
    default: 0,
    description: 'The id of the last event seen.',
  }),
})

/** Routes for talking to the agent: start, send, follow, stop. */
export function registerTalkRoutes(face: Face) {
  const talks = createTalks()
  const params = schema.ConversationParams
  const answer = { 201: schema.ConversationData }
  face.addHook('onResponse', async (req, reply) => {
    if (req.begun && reply.statusCode === 201) talks.run(req.ctx, req.begun)
  })
  face.addHook('preClose', talks.close)
  registerTranscriptRoutes(face)

  face.post(
    '/agent_conversations',
    operation({
      id: 'startAgentConversation',
      summary: 'Start a conversation with the agent',
      tags,
      body: StartBody,
      answers: answer,
    }),
    async (req, reply) => {
      const { message, title, model, integration_ids = [], integration_tools = {}, tool_kit, asks_first } = req.body
      req.begun = await startConversation(req.ctx, {
        message,
        title: title ?? undefined,
        model: model ?? null,
        integrationIds: integration_ids,
        integrationTools: integration_tools,
        toolKit: tool_kit ? toToolKit(tool_kit) : {},
        asksFirst: asks_first,
      })
      reply.code(201)
      return { data: await detailOf(req.ctx, req.begun.conversationId) }
    },
  )

  face.post(
    '/agent_conversations/:conversation_id/messages',
    operation({
      id: 'sendAgentConversationMessage',
      summary: 'Send a message to the agent',
      description: 'Only one turn runs at a time: 409 `turn_active`, unless it is queued.',
      tags,
      params,
      body: MessageBody,
      answers: answer,
    }),
    async (req, reply) => {
      const { message, queue } = req.body
      const begun = await sendMessage(req.ctx, req.params.conversation_id, message, queue)
      if (begun) req.begun = begun
      reply.code(201)
      return { data: await detailOf(req.ctx, req.params.conversation_id) }
    },
  )

  face.post(
    '/agent_conversations/:conversation_id/branches',
    operation({
      id: 'branchAgentConversation',
      summary: 'Ask again with another message',
      description: 'Starts a conversation that begins with what was said before that message.',
      tags,
      params,
      body: BranchBody,
      answers: answer,
    }),
    async (req, reply) => {
      const { number, message } = req.body
      req.begun = await branchConversation(req.ctx, req.params.conversation_id, number, message)
      reply.code(201)
      return { data: await detailOf(req.ctx, req.begun.conversationId) }
    },
  )

  face.post(
    '/agent_conversations/:conversation_id/stop',
    operation({
      id: 'stopAgentConversation',
      summary: 'Ask the agent to stop',
      description: 'Does nothing if no turn is running.',
      tags,
      params,
      answer: schema.ConversationData,
    }),
    async (req) => {
      await stopTurn(req.ctx, req.params.conversation_id)
      return { data: await detailOf(req.ctx, req.params.conversation_id) }
    },
  )

  face.get(
    '/agent_conversations/:conversation_id/stream',
    operation({
      id: 'streamAgentConversation',
      summary: 'Follow a conversation',
      description: 'Messages when they are stored, words as they are said. Ends when no turn is running.',
      tags,
      params,
      query: StreamQuery,
      streams: schema.StreamedEvents,
    }),
    async (req, reply) => {
      const { id } = await loadReadableConversation(req.ctx, req.params.conversation_id)
      await followConversation(req.ctx, id, lastSeen(req, req.query.after), openEventStream(req, reply))
    },
  )
}

async function detailOf(ctx: Parameters<typeof loadConversation>[0], id: string) {
  const conversation = await loadConversation(ctx, id)
  return presentDetail(
    conversation,
    await readContent(ctx, conversation, { withTools: false, beforeEventId: undefined }),
  )
}
