import { operation } from '../../kernel/http/operation.ts'
import type { Face } from '../../kernel/http/request.ts'
import { presentActiveTurn, presentConversation, presentMessage } from './conversation.ts'
import { listReadableConversations, loadConversation, readContent } from './reading/reading.ts'
import * as schema from './schema.ts'

const tags = ['Agent conversations']

export function registerConversationRoutes(face: Face) {
  face.get(
    '/agent_conversations',
    operation({
      id: 'listAgentConversations',
      summary: 'List your conversations with agents',
      description: 'Those of the user whom the key acts for, the last changed first, without those of subagents.',
      tags,
      query: schema.ListQuery,
      answer: schema.ConversationList,
      refuses: [400],
    }),
    async (req) => {
      const { query, page_size, cursor } = req.query
      const wanted = { query: query ?? '', pageSize: page_size, cursor: cursor ?? undefined }
      const { rows, nextCursor } = await listReadableConversations(req.ctx, wanted)
      return { items: rows.map(presentConversation), next_cursor: nextCursor }
    },
  )

  face.get(
    '/agent_conversations/:conversation_id',
    operation({
      id: 'getAgentConversation',
      summary: 'Read one of your conversations',
      description:
        'What was said, in order. When it is longer than one answer may be, the newest part; `continuation` leads to the part before.',
      tags,
      params: schema.ConversationParams,
      query: schema.DetailQuery,
      answer: schema.ConversationData,
      refuses: [400],
    }),
    async (req) => {
      const { include_tool_activity, before_event_id } = req.query
      const conversation = await loadConversation(req.ctx, req.params.conversation_id)
      const wanted = { withTools: include_tool_activity, beforeEventId: before_event_id ?? undefined }
      return { data: presentDetail(conversation, await readContent(req.ctx, conversation, wanted)) }
    },
  )
}

type Conversation = Awaited<ReturnType<typeof loadConversation>>
type Portion = Awaited<ReturnType<typeof readContent>>

export const presentDetail = (conversation: Conversation, { messages, hasMore }: Portion) => ({
  ...presentConversation(conversation),
  active_turn: presentActiveTurn(conversation),
  content: messages.map(presentMessage),
  continuation: hasMore
    ? { object: 'agent_conversation_continuation' as const, before_event_id: messages[0]!.id }
    : null,
})
