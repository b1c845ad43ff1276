import type { FastifyReply, FastifyRequest } from 'fastify'
import { invalid } from '../../kernel/errors.ts'
import { answerData } from '../../kernel/http/answers/etag.ts'
import { removeIfUnused, type UploadedFile } from '../../kernel/http/bodies/multipart.ts'
import { markDeprecated } from '../../kernel/http/deprecation.ts'
import { operation } from '../../kernel/http/operation.ts'
import { answerPage, offsetOf } from '../../kernel/http/paging.ts'
import type { Face } from '../../kernel/http/request.ts'
import { Empty } from '../../kernel/http/schema.ts'
import * as actions from './actions.ts'
import { type Artifact, onlyDocuments, presentSummary, refuseBadName, refuseBadPath, STORE_PLACE } from './artifact.ts'
import { storeMarkdown } from './content.ts'
import { registerContentRoute } from './content-external-api.ts'
import { listIn } from './folders.ts'
import { loadArtifact } from './load.ts'
import { representArtifact } from './representation.ts'
import * as schema from './schema.ts'

const tags = ['Artifacts']

export function registerArtifactRoutes(face: Face) {
  face.get(
    '/artifacts',
    operation({
      id: 'listArtifacts',
      summary: 'List artifacts',
      tags,
      query: schema.ListQuery,
      answer: schema.ArtifactPage,
      sharedRead: true,
    }),
    async (req, reply) => {
      const { folder_path, recursive, name, type, page_size } = req.query
      const filters = { folderPath: folder_path, recursive, name, type }
      const { rows, total } = await listIn(req.ctx, filters, page_size, offsetOf(req.query))
      const items = rows.map((row) => presentSummary(row, req.ctx.store.bucket))
      const page = answerPage(req, reply, { rows: items, total })
      if (folder_path !== undefined) markDeprecated(req, reply)
      return page
    },
  )

  face.post(
    '/artifacts',
    {
      preHandler: prepareDraft,
      ...operation({
        id: 'createArtifact',
        summary: 'Upload a file, or create a document or a folder',
        description:
          'A file as `multipart/form-data`; a document or a folder as JSON. Missing folders on `folder_path` are made.',
        tags,
        body: schema.CreateBody,
        answers: { 201: schema.ArtifactData },
        upload: STORE_PLACE,
        refuses: [404],
      }),
    },
    async (req, reply) => {
      const artifact = await actions.createArtifact(req.ctx, draftOf(req.body as Draft))
      reply.code(201)
      return answerArtifact(req, reply, artifact)
    },
  )

  face.delete(
    '/artifacts/folders',
    operation({
      id: 'deleteArtifactFolder',
      summary: 'Delete a folder by its path',
      description: 'With everything in it. Prefer to delete the folder by its id.',
      deprecated: true,
      tags,
      body: schema.FolderBody,
      answers: { 204: Empty },
      refuses: [404, 409, 412],
    }),
    async (req, reply) => {
      markDeprecated(req, reply)
      await actions.deleteFolderAt(req.ctx, req.body.folder_path)
      return reply.code(204).send(null)
    },
  )

  registerContentRoute(face)

  face.get(
    '/artifacts/:artifact_id',
    operation({
      id: 'getArtifact',
      summary: 'Read an artifact',
      tags,
      params: schema.ArtifactParams,
      answer: schema.ArtifactData,
      etag: true,
    }),
    async (req, reply) => answerArtifact(req, reply, await loadArtifact(req.ctx, req.params.artifact_id)),
  )

  face.patch(
    '/artifacts/:artifact_id',
    operation({
      id: 'updateArtifact',
      summary: 'Rename or move it, or rewrite a document',
      tags,
      params: schema.ArtifactParams,
      body: schema.ChangeBody,
      answer: schema.ArtifactData,
      etag: true,
      refuses: [409],
    }),
    async (req, reply) => {
      const { name, expected_name, markdown_content, parent_id } = req.body
      if (name !== undefined) refuseBadName(name, '/name')
      const change = { name, expectedName: expected_name, markdownContent: markdown_content, parentId: parent_id }
      return answerArtifact(req, reply, await actions.changeArtifact(req.ctx, req.params.artifact_id, change))
    },
  )

  face.delete(
    '/artifacts/:artifact_id',
    operation({
      id: 'deleteArtifact',
      summary: 'Delete it; a folder with everything in it',
      tags,
      params: schema.ArtifactParams,
      answers: { 204: Empty },
      etag: true,
    }),
    async (req, reply) => {
      await actions.deleteArtifact(req.ctx, req.params.artifact_id)
      return reply.code(204).send(null)
    },
  )
}

function answerArtifact(req: FastifyRequest, reply: FastifyReply, artifact: Artifact) {
  return answerData(req, reply, representArtifact(artifact, req.ctx.store.bucket))
}

interface Draft {
  name?: string
  type?: 'document' | 'folder'
  markdown_content?: string
  folder_path?: string
  parent_id?: string | null
  file?: UploadedFile
}

/** Checks what the schema cannot, then stores the text of a document, because the handler may run in a transaction. */
async function prepareDraft(req: FastifyRequest, reply: FastifyReply): Promise<void> {
  const draft = req.body as Draft
  if (draft.folder_path !== undefined) markDeprecated(req, reply)
  const name = draft.name ?? draft.file?.fileName
  if (name === undefined)
    throw invalid([{ pointer: '/name', detail: 'The file has no name. Send one in the field "name".' }])
  refuseBadName(name, '/name')
  draft.name = name
  if (draft.parent_id != null && draft.folder_path !== undefined)
    throw invalid([{ pointer: '/folder_path', detail: 'Send "parent_id" or "folder_path", not both.' }])
  if (draft.folder_path !== undefined) refuseBadPath(draft.folder_path)
  if (draft.type === 'folder' && draft.markdown_content !== undefined) throw onlyDocuments('folder')
  if (draft.type === 'document')
    draft.file = removeIfUnused(req, await storeMarkdown(req.ctx, draft.markdown_content ?? ''))
}

const draftOf = ({ name, type = 'file' as never, markdown_content, folder_path, parent_id, file }: Draft) => ({
  type: type as Artifact['type'],
  name: name!,
  content: file ?? null,
  markdownContent: type === 'document' ? (markdown_content ?? '') : null,
  parentId: parent_id,
  folderPath: folder_path,
})
