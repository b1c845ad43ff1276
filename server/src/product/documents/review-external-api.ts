import { Type } from 'typebox'
import { operation } from '../../kernel/http/operation.ts'
import type { Face } from '../../kernel/http/request.ts'
import { Data, Uuid } from '../../kernel/http/schema.ts'
import { changeThread, listThreads, loadThread, replyToThread, startThread } from './comments/comments.ts'
import { presentChange, presentThread } from './document.ts'
import type { DocumentKind } from './kind.ts'
import { answer } from './representation.ts'
import * as schema from './schema.ts'
import { listChanges, settleAllChanges, settleChanges, suggest } from './suggestions/suggestions.ts'

/** Registers the operations on suggestions and comments. */
export function registerReviewRoutes(face: Face, of: DocumentKind): void {
  const { kind, idParam, noun } = of
  const tags = [of.tag]
  const one = `${of.path}/:${idParam}`
  const params = Type.Object({ [idParam]: Uuid })
  const changeParams = Type.Object({ [idParam]: Uuid, change_id: Uuid })
  const threadParams = Type.Object({ [idParam]: Uuid, thread_id: Uuid })
  const detail = { 200: Data(of.Detail) }
  const param = (req: { params: unknown }, name = idParam) => (req.params as Record<string, string>)[name]!

  face.post(
    `${one}/apply_suggestion`,
    operation({
      id: `suggest${noun}Change`,
      summary: 'Suggest a replacement as tracked changes',
      tags,
      params,
      body: schema.SuggestBody,
      answer: schema.SuggestionResult,
      etag: true,
    }),
    async (req) => {
      const { old_text, new_text, replace_all = false } = req.body
      const changeIds = await suggest(req.ctx, kind, param(req), {
        oldText: old_text,
        newText: new_text,
        replaceAll: replace_all,
      })
      return { data: { status: 'applied' as const, change_ids: changeIds } }
    },
  )

  face.get(
    `${one}/suggestions`,
    operation({
      id: `list${noun}Suggestions`,
      summary: 'List pending changes',
      tags,
      params,
      answer: schema.SuggestionItems,
    }),
    async (req) => ({ items: (await listChanges(req.ctx, kind, param(req))).map(presentChange) }),
  )

  for (const verdict of ['accept', 'reject'] as const) {
    const Verdict = verdict === 'accept' ? 'Accept' : 'Reject'
    face.post(
      `${one}/suggestions/${verdict}_all`,
      operation({
        id: `${verdict}All${noun}Suggestions`,
        summary: `${Verdict} all pending changes`,
        description:
          'Or those that are named, in one version. 404 if none of them is pending any more. With `texts`, what was typed since stays pending; 409 `suggestion_changed` if a suggestion says something else by now.',
        tags,
        params,
        body: schema.SettleBody,
        answers: detail,
        etag: true,
        optionalBody: true,
      }),
      async (req, reply) => {
        const { change_ids: ids, texts = [] } = req.body
        const settled = ids
          ? settleChanges(
              req.ctx,
              kind,
              param(req),
              ids.map((id, at) => ({ id, shown: texts[at] })),
              verdict,
            )
          : settleAllChanges(req.ctx, kind, param(req), verdict)
        return answer(of, req, reply, await settled)
      },
    )
    face.post(
      `${one}/suggestions/:change_id/${verdict}`,
      operation({
        id: `${verdict}${noun}Suggestion`,
        summary: `${Verdict} a pending change`,
        tags,
        params: changeParams,
        answers: detail,
        etag: true,
      }),
      async (req, reply) =>
        answer(
          of,
          req,
          reply,
          await settleChanges(req.ctx, kind, param(req), [{ id: param(req, 'change_id') }], verdict),
        ),
    )
  }

  face.get(
    `${one}/comments`,
    operation({ id: `list${noun}Comments`, summary: 'List comment threads', tags, params, answer: schema.ThreadItems }),
    async (req) => ({ items: (await listThreads(req.ctx, kind, param(req))).map(presentThread) }),
  )

  face.post(
    `${one}/comments`,
    operation({
      id: `comment${noun}`,
      summary: 'Start a comment thread',
      tags,
      params,
      body: schema.ThreadBody,
      answers: { 201: schema.ThreadData },
    }),
    async (req, reply) => {
      const thread = await startThread(req.ctx, kind, param(req), req.body.message, req.body.is_flagged ?? false)
      reply.code(201)
      return { data: presentThread(thread) }
    },
  )

  face.get(
    `${one}/comments/:thread_id`,
    operation({
      id: `get${noun}Thread`,
      summary: 'Read a comment thread',
      tags,
      params: threadParams,
      answer: schema.ThreadData,
    }),
    async (req) => ({ data: presentThread(await loadThread(req.ctx, kind, param(req), param(req, 'thread_id'))) }),
  )

  face.patch(
    `${one}/comments/:thread_id`,
    operation({
      id: `update${noun}Thread`,
      summary: 'Resolve or flag a thread',
      tags,
      params: threadParams,
      body: schema.ThreadPatchBody,
      answer: schema.ThreadData,
    }),
    async (req) => {
      const change = { isResolved: req.body.is_resolved, isFlagged: req.body.is_flagged }
      return { data: presentThread(await changeThread(req.ctx, kind, param(req), param(req, 'thread_id'), change)) }
    },
  )

  face.post(
    `${one}/comments/:thread_id/messages`,
    operation({
      id: `reply${noun}Thread`,
      summary: 'Reply in a thread',
      tags,
      params: threadParams,
      body: schema.ReplyBody,
      answers: { 201: schema.ThreadData },
    }),
    async (req, reply) => {
      const thread = await replyToThread(req.ctx, kind, param(req), param(req, 'thread_id'), req.body.message)
      reply.code(201)
      return { data: presentThread(thread) }
    },
  )
}
