import { Type } from 'typebox'
import { inSavepoint } from '../../../kernel/database/index.ts'
import { notFound } from '../../../kernel/errors.ts'
import { operation } from '../../../kernel/http/operation.ts'
import { answerPage, offsetOf, Paged, PageQuery } from '../../../kernel/http/paging.ts'
import type { Face } from '../../../kernel/http/request.ts'
import { Data, Filter, Nullable, named, OneOf, Text, Time, Uuid } from '../../../kernel/http/schema.ts'
import { createSearchQueue, limitStatements } from '../../../kernel/searches/search-queue.ts'
import { TYPES } from '../artifact.ts'
import { loadFolder } from '../folders.ts'
import { ArtifactParams } from '../schema.ts'
import { type BrowsedRow, browseFolder, findBrowsed, listFolders, SORTS } from './browse-queries.ts'
import { KINDS } from './kind.ts'

const tags = ['Artifacts']
const MAX_WORDS = 10
const DEADLINE_MS = 3_000

const Row = named(
  'ArtifactRow',
  Type.Object({
    id: Uuid,
    name: Type.String({ examples: ['personas.md'] }),
    type: OneOf(TYPES),
    kind: OneOf(KINDS, { description: 'What it is by content type and name.' }),
    content_type: Nullable(Type.String({ examples: ['text/markdown'] })),
    size_bytes: Nullable(Type.Integer({ examples: [1834] })),
    parent_id: Nullable(Uuid),
    folder_path: Type.String({ examples: ['research/2026'] }),
    item_count: Nullable(Type.Integer({ examples: [14] }), { description: 'What lies in a folder itself.' }),
    used_count: Type.Integer({ description: 'Connections, and comments it is attached to.', examples: [2] }),
    created_by_id: Nullable(Uuid),
    created_by: Type.String({ examples: ['Ada Lovelace'] }),
    created_at: Time,
    updated_at: Time,
    snippet: Nullable(Type.String({ examples: ['declined with code 05'] }), {
      description: 'Of a search: the first word in the text, if the name does not have it.',
    }),
  }),
)

const present = (row: BrowsedRow) => ({
  id: row.id,
  name: row.name,
  type: row.type,
  kind: row.kind,
  content_type: row.contentType,
  size_bytes: row.sizeBytes,
  parent_id: row.parentId,
  folder_path: row.folderPath,
  item_count: row.itemCount,
  used_count: row.usedCount,
  created_by_id: row.createdById,
  created_by: row.createdBy,
  created_at: row.createdAt,
  updated_at: row.updatedAt,
  snippet: row.snippet,
})

const FolderTree = Type.Object({
  items: Type.Array(
    named(
      'ArtifactFolder',
      Type.Object({
        id: Uuid,
        name: Type.String({ examples: ['Research'] }),
        parent_id: Nullable(Uuid),
        file_count: Type.Integer({ description: 'Files and documents in the folder itself.', examples: [9] }),
      }),
    ),
  ),
  root_file_count: Type.Integer({ examples: [3] }),
})

const runSearch = createSearchQueue('Use longer words, or search in a smaller folder.')

/** How people look through the knowledge base. */
export function registerBrowseRoutes(face: Face) {
  face.get(
    '/artifacts/rows',
    operation({
      id: 'listArtifactRows',
      summary: 'List a folder, or search in it and below it',
      tags,
      query: Type.Object({
        parent_id: Type.Optional(Uuid),
        q: Type.Optional(
          Text(200, {
            description: 'Words. Each is in the name, or in the text of a document or a file.',
            examples: ['fees'],
          }),
        ),
        kind: Filter(OneOf(KINDS), 'Only these kinds.'),
        sort: OneOf(SORTS, { default: 'name', description: 'Folders come first in every order.' }),
        ...PageQuery,
      }),
      answer: Paged(Row),
      refuses: [404],
    }),
    async (req, reply) => {
      const { ctx, query } = req
      const { projectId } = ctx.actor
      const folderId = query.parent_id === undefined ? null : (await loadFolder(ctx, query.parent_id)).id
      const words = [...new Set((query.q ?? '').split(/\s+/))].filter((word) => word !== '').slice(0, MAX_WORDS)
      const browsing = { folderId, words, kinds: query.kind ?? [], sort: query.sort }
      const page = { limit: query.page_size, offset: offsetOf(query) }
      const { rows, total } =
        words.length === 0
          ? await browseFolder(ctx.db, projectId, browsing, page)
          : await runSearch({ projectId, query: query.q!, deadlineMs: DEADLINE_MS }, ({ leftMs }) =>
              inSavepoint(ctx, async ({ db }) => {
                await limitStatements(db, leftMs())
                return browseFolder(db, projectId, browsing, page)
              }),
            )
      return answerPage(req, reply, { rows: rows.map(present), total })
    },
  )

  face.get(
    '/artifacts/:artifact_id/row',
    operation({
      id: 'getArtifactRow',
      summary: 'Read what lists show of an artifact',
      tags,
      params: ArtifactParams,
      answer: Data(Row),
    }),
    async (req) => {
      const { db, actor } = req.ctx
      const row = await findBrowsed(db, actor.projectId, req.params.artifact_id)
      if (!row) throw notFound('artifact', req.params.artifact_id)
      return { data: present(row) }
    },
  )

  face.get(
    '/artifacts/folders',
    operation({
      id: 'listArtifactFolders',
      summary: 'List all folders, with the number of files in each',
      tags,
      answer: FolderTree,
    }),
    async (req) => {
      const { folders, rootCount } = await listFolders(req.ctx.db, req.ctx.actor.projectId)
      const items = folders.map(({ id, name, parentId, fileCount }) => ({
        id,
        name,
        parent_id: parentId,
        file_count: fileCount,
      }))
      return { items, root_file_count: rootCount }
    },
  )
}
