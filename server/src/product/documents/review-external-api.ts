import { Type } from 'typebox'
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
    {
      config: { etag: true },
      schema: {
        operationId: `suggest${noun}Change`,
        summary: 'Suggest a replacement as tracked changes',
        tags,
        params,
        body: schema.SuggestBody,
        response: { 200: schema.SuggestionResult },
      },
    },
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
    {
      schema: {
        operationId: `list${noun}Suggestions`,
        summary: 'List pending changes',
        tags,
        params,
        response: { 200: schema.SuggestionItems },
      },
    },
    async (req) => ({ items: (await listChanges(req.ctx, kind, param(req))).map(presentChange) }),
  )

  for (const verdict of ['accept', 'reject'] as const) {
    const Verdict = verdict === 'accept' ? 'Accept' : 'Reject'
    face.post(
      `${one}/suggestions/${verdict}_all`,
      {
        config: { etag: true, optionalBody: true },
        schema: {
          operationId: `${verdict}All${noun}Suggestions`,
          summary: `${Verdict} all pending changes`,
          description:
            'Or those that are named, in one version. 404 if none of them is pending any more. With `texts`, what was typed since stays pending; 409 `suggestion_changed` if a suggestion says something else by now.',
          tags,
          params,
          body: schema.SettleBody,
          response: detail,
        },
      },
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
      {
        config: { etag: true },
        schema: {
          operationId: `${verdict}${noun}Suggestion`,
          summary: `${Verdict} a pending change`,
          tags,
          params: changeParams,
          response: detail,
        },
      },
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
    {
      schema: {
        operationId: `list${noun}Comments`,
        summary: 'List comment threads',
        tags,
        params,
        response: { 200: schema.ThreadItems },
      },
    },
    async (req) => ({ items: (await listThreads(req.ctx, kind, param(req))).map(presentThread) }),
  )

  face.post(
    `${one}/comments`,
    {
      schema: {
        operationId: `comment${noun}`,
        summary: 'Start a comment thread',
        tags,
        params,
        body: schema.ThreadBody,
        response: { 201: schema.ThreadData },
      },
    },
    async (req, reply) => {
      const thread = await startThread(req.ctx, kind, param(req), req.body.message, req.body.is_flagged ?? false)
      reply.code(201)
      return { data: presentThread(thread) }
    },
  )

  face.get(
    `${one}/comments/:thread_id`,
    {
      schema: {
        operationId: `get${noun}Thread`,
        summary: 'Read a comment thread',
        tags,
        params: threadParams,
        response: { 200: schema.ThreadData },
      },
    },
    async (req) => ({ data: presentThread(await loadThread(req.ctx, kind, param(req), param(req, 'thread_id'))) }),
  )

  face.patch(
    `${one}/comments/:thread_id`,
    {
      schema: {
        operationId: `update${noun}Thread`,
        summary: 'Resolve or flag a thread',
        tags,
        params: threadParams,
        body: schema.ThreadPatchBody,
        response: { 200: schema.ThreadData },
      },
    },
    async (req) => {
      const change = { isResolved: req.body.is_resolved, isFlagged: req.body.is_flagged }
      return { data: presentThread(await changeThread(req.ctx, kind, param(req), param(req, 'thread_id'), change)) }
    },
  )

  face.post(
    `${one}/comments/:thread_id/messages`,
    {
      schema: {
        operationId: `reply${noun}Thread`,
        summary: 'Reply in a thread',
        tags,
        params: threadParams,
        body: schema.ReplyBody,
        response: { 201: schema.ThreadData },
      },
    },
    async (req, reply) => {
      const thread = await replyToThread(req.ctx, kind, param(req), param(req, 'thread_id'), req.body.message)
      reply.code(201)
      return { data: presentThread(thread) }
    },
  )
}
