import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { notFound } from '../../../kernel/errors.ts'
import { answerData } from '../../../kernel/http/answers/etag.ts'
import { FilePart, removeIfUnused, type UploadedFile } from '../../../kernel/http/bodies/multipart.ts'
import { usableMediaType } from '../../../kernel/http/media-type.ts'
import { operation } from '../../../kernel/http/operation.ts'
import type { Face } from '../../../kernel/http/request.ts'
import { Data, Empty, Nullable, named, Text, Uuid } from '../../../kernel/http/schema.ts'
import { refuseBadName, STORE_PLACE, type StoredContent } from '../artifact.ts'
import { representArtifact } from '../representation.ts'
import { ArtifactData, Name } from '../schema.ts'
import * as uploads from './uploads.ts'

const tags = ['Artifacts']
const MAX_PARTS = 100_000

const ById = Type.Object({ upload_id: Uuid })
const PartParams = Type.Object({ upload_id: Uuid, number: Type.Integer({ minimum: 1, maximum: MAX_PARTS }) })

const Upload = named(
  'ArtifactUpload',
  Type.Object({
    id: Uuid,
    part_bytes: Type.Integer({ description: 'The size of every part but the last.', examples: [8_388_608] }),
    received: Type.Array(Type.Integer({ examples: [1] }), { description: 'The numbers of the parts that arrived.' }),
  }),
)

/** Bytes that a request has assembled before its transaction began. */
const assembled = new WeakMap<FastifyRequest, StoredContent>()

/** Uploads in parts, which go on after a lost connection. */
export function registerUploadRoutes(face: Face) {
  face.post(
    '/artifacts/uploads',
    operation({
      id: 'beginArtifactUpload',
      summary: 'Begin an upload in parts',
      description: 'Send the parts, numbered from 1, then finish. What is not finished is forgotten after 7 days.',
      tags,
      body: Type.Object({
        size_bytes: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, examples: [52_428_800] }),
        content_type: Type.Optional(Text(1_000, { examples: ['video/mp4'] })),
      }),
      answers: { 201: Data(Upload) },
    }),
    async (req, reply) => {
      const { id } = await uploads.beginUpload(req.ctx, {
        sizeBytes: req.body.size_bytes,
        contentType: usableMediaType(req.body.content_type),
        limitBytes: req.server.uploadLimitBytes,
      })
      reply.code(201)
      return { data: { id, part_bytes: uploads.PART_BYTES, received: [] } }
    },
  )

  face.get(
    '/artifacts/uploads/:upload_id',
    operation({
      id: 'getArtifactUpload',
      summary: 'Read which parts of an upload have arrived',
      tags,
      params: ById,
      answer: Data(Upload),
    }),
    async (req) => {
      const { id } = await uploads.loadUpload(req.ctx, req.params.upload_id)
      return { data: { id, part_bytes: uploads.PART_BYTES, received: await uploads.receivedParts(req.ctx, id) } }
    },
  )

  face.put(
    '/artifacts/uploads/:upload_id/parts/:number',
    operation({
      id: 'putArtifactPart',
      summary: 'Send a part of an upload',
      tags,
      params: PartParams,
      body: { content: { 'multipart/form-data': { schema: Type.Object({ file: FilePart }) } } },
      answers: { 204: Empty },
      upload: STORE_PLACE,
      uploadLimitBytes: uploads.PART_BYTES,
      refuses: [409],
    }),
    async (req, reply) => {
      const { key, size } = (req.body as { file: UploadedFile }).file
      await uploads.takePart(req.ctx, req.params.upload_id, { number: req.params.number, key, size })
      return reply.code(204).send(null)
    },
  )

  face.post(
    '/artifacts/uploads/:upload_id/finish',
    {
      async preHandler(req) {
        refuseBadName((req.body as { name: string }).name, '/name')
        const content = await uploads.assembleUpload(req.ctx, (req.params as { upload_id: string }).upload_id)
        if (!content) return
        removeIfUnused(req, content)
        assembled.set(req, content)
      },
      ...operation({
        id: 'finishArtifactUpload',
        summary: 'Make a file of the parts',
        tags,
        params: ById,
        body: Type.Object({
          name: Name,
          parent_id: Type.Optional(Nullable(Uuid, { description: 'The folder it lies in; null for the root.' })),
          replaces: Type.Optional(
            Nullable(Uuid, { description: 'The file whose content it becomes, instead of a new file.' }),
          ),
        }),
        answers: { 201: ArtifactData },
        upload: STORE_PLACE,
        refuses: [409],
      }),
    },
    async (req, reply) => {
      const { upload_id: id } = req.params
      const content = assembled.get(req)
      if (!content) throw notFound('upload', id)
      const { name, parent_id: parentId, replaces } = req.body
      const artifact = await uploads.finishUpload(req.ctx, id, content, {
        name,
        parentId,
        replaces: replaces ?? undefined,
      })
      reply.code(201)
      return answerData(req, reply, representArtifact(artifact, req.ctx.store.bucket))
    },
  )

  face.delete(
    '/artifacts/uploads/:upload_id',
    operation({
      id: 'cancelArtifactUpload',
      summary: 'Cancel an upload in parts',
      tags,
      params: ById,
      answers: { 204: Empty },
    }),
    async (req, reply) => {
      await uploads.cancelUpload(req.ctx, req.params.upload_id)
      return reply.code(204).send(null)
    },
  )
}
