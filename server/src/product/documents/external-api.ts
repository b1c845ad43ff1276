import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { notFound } from '../../kernel/errors.ts'
import { notModified, viewEtagOf } from '../../kernel/http/answers/etag.ts'
import { encodeData } from '../../kernel/http/answers/long-text.ts'
import { operation } from '../../kernel/http/operation.ts'
import type { Face } from '../../kernel/http/request.ts'
import { Data, Empty, Items, Uuid } from '../../kernel/http/schema.ts'
import { renameDocument } from './actions.ts'
import { type Document, documentEtag, presentVersion, type SuggestionView, wordFor } from './document.ts'
import type { DocumentKind } from './kind.ts'
import { type LineRange, linesOf, refuseBackwards } from './lines.ts'
import { loadDocument } from './loading.ts'
import { viewOf } from './markdown.ts'
import { answer, answerDetail, findingDocuments } from './representation.ts'
import { registerReviewRoutes } from './review-external-api.ts'
import * as schema from './schema.ts'
import { searchDocuments } from './search/search.ts'
import { diffVersions } from './versions/diff.ts'
import { listVersions, loadVersion, restoreVersion, writeDocument } from './versions/versions.ts'

/** Registers the operations that all kinds have, for one kind. */
export function registerDocumentRoutes(face: Face, of: DocumentKind): void {
  const { kind, path, idParam, noun, words } = of
  const tags = [of.tag]
  const one = `${path}/:${idParam}`
  const params = Type.Object({ [idParam]: Uuid })
  const versionParams = Type.Object({ [idParam]: Uuid, version_id: Uuid })
  const diffParams = Type.Object({ [idParam]: Uuid, from_version_id: Uuid, to_version_id: Uuid })
  const detail = { 200: Data(of.Detail) }
  const find = findingDocuments(of)
  const idOf = (req: { params: unknown }) => (req.params as Record<string, string>)[idParam]!

  face.post(
    `${path}/search`,
    operation({
      id: `search${noun}s`,
      summary: `Search ${words}s by regular expression`,
      tags,
      body: schema.SearchBody,
      answer: Items(of.SearchHit),
      reads: true,
    }),
    async (req) => {
      const { query, case_sensitive, context_lines, limit } = req.body
      const search = {
        projectId: req.ctx.actor.projectId,
        kind,
        query,
        caseSensitive: case_sensitive,
        contextLines: context_lines,
        limit,
      }
      const hits = await searchDocuments(req.ctx.db, search)
      const items = hits.map(({ matches, ...document }) => ({ ...of.presentHit(document), matches }))
      return { items }
    },
  )

  face.get(
    one,
    operation({
      id: `get${noun}`,
      summary: `Read a ${words}`,
      tags,
      params,
      query: schema.ReadQuery,
      answers: detail,
      etag: true,
    }),
    async (req, reply) => {
      refuseBackwards(req.query)
      if (isWhole(req.query)) {
        const document = await find(req.ctx.db, req.ctx.actor.projectId, idOf(req))
        if (!document) throw notFound(wordFor(kind), idOf(req))
        return answer(of, req, reply, document)
      }
      return answerView(of, req, reply, await loadDocument(req.ctx, kind, idOf(req)), req.query)
    },
  )

  face.patch(
    one,
    operation({
      id: `update${noun}`,
      summary: 'Replace the whole content',
      tags,
      params,
      body: schema.WriteBody,
      answers: detail,
      etag: true,
    }),
    async (req, reply) => {
      const { markdown_content, force_new_version } = req.body
      const force = force_new_version === undefined ? {} : { forceNewVersion: force_new_version }
      return answer(of, req, reply, await writeDocument(req.ctx, kind, idOf(req), markdown_content, force))
    },
  )

  face.delete(
    one,
    operation({
      id: `delete${noun}`,
      summary: `Delete a ${words} for good`,
      tags,
      params,
      answers: { 204: Empty },
      etag: true,
      refuses: [409],
    }),
    async (req, reply) => {
      await of.deleteDocument(req.ctx, idOf(req))
      return reply.code(204).send(null)
    },
  )

  face.patch(
    `${one}/rename`,
    operation({
      id: `rename${noun}`,
      summary: `Rename a ${words}`,
      tags,
      params,
      body: schema.RenameBody,
      answers: detail,
      etag: true,
    }),
    async (req, reply) => {
      const { title, expected_title } = req.body
      return answer(of, req, reply, await renameDocument(req.ctx, kind, idOf(req), title, expected_title))
    },
  )

  face.get(
    `${one}/versions`,
    operation({
      id: `list${noun}Versions`,
      summary: 'List versions, newest first',
      tags,
      params,
      answer: schema.VersionList,
    }),
    async (req) => {
      const versions = await listVersions(req.ctx, kind, idOf(req))
      return { items: versions.map(presentVersion), total_count: versions.length }
    },
  )

  face.get(
    `${one}/versions/:version_id`,
    operation({ id: `get${noun}Version`, summary: 'Read a version', tags, params: versionParams, answers: detail }),
    async (req, reply) =>
      answerDetail(of, req, reply, await loadVersion(req.ctx, kind, idOf(req), versionOf(req, 'version_id'))),
  )

  face.post(
    `${one}/versions/:version_id/restore`,
    operation({
      id: `restore${noun}Version`,
      summary: 'Restore an old version',
      tags,
      params: versionParams,
      answers: detail,
      etag: true,
    }),
    async (req, reply) =>
      answer(of, req, reply, await restoreVersion(req.ctx, kind, idOf(req), versionOf(req, 'version_id'))),
  )

  face.get(
    `${one}/versions/:from_version_id/diff/:to_version_id`,
    operation({
      id: `diff${noun}Versions`,
      summary: 'Compare two versions',
      tags,
      params: diffParams,
      answer: schema.VersionDiff,
    }),
    async (req, reply) => {
      const [from, to] = [versionOf(req, 'from_version_id'), versionOf(req, 'to_version_id')]
      const { diff, ...versions } = await diffVersions(req.ctx, kind, idOf(req), from, to)
      reply.header('content-type', 'application/json; charset=utf-8')
      return encodeData(req.ctx, versions, 'diff', diff)
    },
  )

  registerReviewRoutes(face, of)
}

const versionOf = (req: { params: unknown }, name: string) => (req.params as Record<string, string>)[name]!

interface View extends LineRange {
  suggestions?: SuggestionView
}

const isWhole = ({ start_line, end_line, suggestions = 'inline' }: View) =>
  start_line == null && end_line == null && suggestions === 'inline'

/** Answers with a range of lines or with another view of the suggestions. */
async function answerView(of: DocumentKind, req: FastifyRequest, reply: FastifyReply, document: Document, view: View) {
  const start = view.start_line ?? undefined
  const end = view.end_line ?? undefined
  const { suggestions = 'inline' } = view
  if (notModified(req, reply, viewEtagOf(documentEtag(document), [start, end, suggestions]))) return reply.send()
  const content = await viewOf(req.ctx, { source: document.markdownContent, show: suggestions })
  return answerDetail(of, req, reply, document, linesOf(content, start, end))
}
