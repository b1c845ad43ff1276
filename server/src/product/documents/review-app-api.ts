import { Type } from 'typebox'
import { operation } from '../../kernel/http/operation.ts'
import type { Face } from '../../kernel/http/request.ts'
import { Data, Empty, FilledText, Nullable, named, OneOf, Text, Uuid } from '../../kernel/http/schema.ts'
import { listThreads, startThread } from './comments/comments.ts'
import { deleteMessage, editMessage, restoreMessage } from './comments/messages.ts'
import { type Change, presentChange, presentThread, type Thread } from './document.ts'
import type { DocumentKind } from './kind.ts'
import { Message, messageFields, suggestionFields, threadFields } from './schema.ts'
import { listChanges } from './suggestions/suggestions.ts'

const CreatedById = Nullable(Uuid, { description: 'Null if that account is gone, or was an operator.' })
const ORIGINS = ['user', 'external_api', 'mcp', 'agent', 'automation', 'system'] as const

const Door = Nullable(OneOf(ORIGINS), {
  description: 'Through which door it came. Null for what is older than the record of it.',
})

const Anchor = named(
  'CommentAnchor',
  Type.Object(
    {
      quote: FilledText(10_000, { examples: ['the card that paid'], description: 'The passage as it was then.' }),
      prefix: Text(200, { default: '', examples: ['A refund goes back to '] }),
      suffix: Text(200, { default: '', examples: ['.'] }),
      position: Nullable(Text(2_000), {
        description: 'Where the editor finds the passage after its words have changed: two Yjs positions as JSON.',
      }),
    },
    { description: 'A quote with what stands around it, as a TextQuoteSelector of the W3C.' },
  ),
)

const AnchoredThread = named(
  'AnchoredThread',
  Type.Object({
    ...threadFields,
    messages: Type.Array(
      Type.Object({ ...messageFields, created_by_id: CreatedById, origin: Door, is_edited: Type.Boolean() }),
    ),
    anchor: Nullable(Anchor, { description: 'Null for a thread about the whole document.' }),
  }),
)

const Review = named(
  'DocumentReview',
  Type.Object({
    suggestions: Type.Array(
      named(
        'AttributedSuggestion',
        Type.Object({
          ...suggestionFields,
          created_by_id: CreatedById,
          origin: Door,
        }),
      ),
      { description: 'In the order of the text.' },
    ),
    threads: Type.Array(AnchoredThread, { description: 'Oldest first.' }),
  }),
)

const presentAnchored = (thread: Thread) => ({
  ...presentThread(thread),
  messages: thread.messages.map((one, at) => ({
    ...presentThread(thread).messages[at]!,
    created_by_id: one.userId,
    origin: one.origin,
    is_edited: one.isEdited,
  })),
  anchor: thread.anchor,
})

const presentAttributed = (change: Change) => ({
  ...presentChange(change),
  created_by_id: change.userId,
  origin: change.origin,
})

/** What the web shows beside a document: who suggested what through which door, and which words a comment is about. */
export function registerReviewAppRoutes(face: Face, of: DocumentKind): void {
  const { kind, idParam, noun } = of
  const tags = [of.tag]
  const one = `${of.path}/:${idParam}`
  const params = Type.Object({ [idParam]: Uuid })
  const idOf = (req: { params: unknown }) => (req.params as Record<string, string>)[idParam]!

  face.get(
    `${one}/review`,
    operation({
      id: `get${noun}Review`,
      summary: 'Show the suggestions and comment threads with their authors and places',
      tags,
      params,
      answer: Data(Review),
    }),
    async (req) => {
      const [changes, threads] = await Promise.all([
        listChanges(req.ctx, kind, idOf(req)),
        listThreads(req.ctx, kind, idOf(req)),
      ])
      return { data: { suggestions: changes.map(presentAttributed), threads: threads.map(presentAnchored) } }
    },
  )

  face.post(
    `${one}/threads`,
    operation({
      id: `start${noun}Thread`,
      summary: 'Start a comment thread about a passage',
      tags,
      params,
      body: Type.Object({
        message: Message,
        is_flagged: Type.Boolean({ default: false }),
        anchor: Type.Optional(Nullable(Anchor)),
      }),
      answers: { 201: Data(AnchoredThread) },
    }),
    async (req, reply) => {
      const { message, is_flagged, anchor = null } = req.body
      reply.code(201)
      return { data: presentAnchored(await startThread(req.ctx, kind, idOf(req), message, is_flagged, anchor)) }
    },
  )

  const message = `${one}/threads/:thread_id/messages/:message_id`
  const messageParams = Type.Object({ [idParam]: Uuid, thread_id: Uuid, message_id: Uuid })
  const placeOf = (req: { params: unknown }) => {
    const { thread_id, message_id } = req.params as Record<string, string>
    return { kind, documentId: idOf(req), threadId: thread_id!, messageId: message_id! }
  }

  face.patch(
    message,
    operation({
      id: `edit${noun}Comment`,
      summary: 'Edit a comment of your own',
      tags,
      params: messageParams,
      body: Type.Object({ message: Message }),
      answer: Data(AnchoredThread),
    }),
    async (req) => ({ data: presentAnchored(await editMessage(req.ctx, placeOf(req), req.body.message)) }),
  )

  face.delete(
    message,
    operation({
      id: `delete${noun}Comment`,
      summary: 'Delete a comment',
      description: 'A thread ends with its last comment. Both can be restored for a day.',
      tags,
      params: messageParams,
      answers: { 204: Empty },
    }),
    async (req, reply) => {
      await deleteMessage(req.ctx, placeOf(req))
      return reply.code(204).send(null)
    },
  )

  face.post(
    `${message}/restore`,
    operation({
      id: `restore${noun}Comment`,
      summary: 'Bring a deleted comment back',
      tags,
      params: messageParams,
      answer: Data(AnchoredThread),
    }),
    async (req) => ({ data: presentAnchored(await restoreMessage(req.ctx, placeOf(req))) }),
  )
}
