import type { FastifyRequest } from 'fastify'
import { sendStored } from '../../kernel/http/answers/stored-content.ts'
import type { UploadedFile } from '../../kernel/http/bodies/multipart.ts'
import { operation } from '../../kernel/http/operation.ts'
import type { Face } from '../../kernel/http/request.ts'
import { authorizeWrite } from '../projects/index.ts'
import * as actions from './actions.ts'
import { previewDocuments } from './documents/import.ts'
import * as schema from './schema.ts'
import { notReady, presentTransfer, STORE_PLACE, type Transfer } from './transfer.ts'
import { inTurn } from './turns.ts'
import { previewWorkOrders } from './work-orders/preview.ts'

interface SentFile {
  file: UploadedFile
}

interface SentFolder extends SentFile {
  kind: (typeof schema.DOCUMENT_KINDS)[number]
}

const tags = ['Export and import']
const asExport = (transfer: Transfer) => ({ data: { ...presentTransfer(transfer), object: 'export' as const } })
const asImport = (transfer: Transfer) => ({ data: { ...presentTransfer(transfer), object: 'import' as const } })

export function registerTransferRoutes(face: Face) {
  face.get(
    '/transfers',
    operation({
      id: 'listTransfers',
      summary: 'List the latest exports and imports',
      description: 'Admins see all of them, others their own.',
      tags,
      answer: schema.TransferItems,
    }),
    async (req) => ({ items: (await actions.listTransfers(req.ctx)).map(presentTransfer) }),
  )

  face.post(
    '/exports',
    operation({
      id: 'startExport',
      summary: 'Export the whole project',
      description: 'For admins. Ask for it until its state is `done`, then download its content.',
      tags,
      answers: { 202: schema.ExportData },
      refuses: [409],
      optionalBody: true,
    }),
    async (req, reply) => {
      reply.code(202)
      return asExport(await actions.startExport(req.ctx))
    },
  )

  face.get(
    '/exports/:export_id',
    operation({
      id: 'getExport',
      summary: 'Read how far an export is',
      tags,
      params: schema.ExportParams,
      answer: schema.ExportData,
      refuses: [403],
    }),
    async (req) => asExport(await actions.loadTransfer(req.ctx, 'export', req.params.export_id)),
  )

  face.get(
    '/exports/:export_id/content',
    operation({
      id: 'getExportContent',
      summary: 'Download an export',
      description: 'A zip file, for a day. One `Range` is served.',
      tags,
      params: schema.ExportParams,
      answers: { 200: schema.ArchiveContent, 206: schema.ArchiveContent },
      etag: true,
      refuses: [403, 409, 416],
    }),
    async (req, reply) => {
      const one = await actions.loadTransfer(req.ctx, 'export', req.params.export_id)
      actions.authorizeWhole(req.ctx)
      const content = {
        name: one.fileName,
        contentType: 'application/zip',
        size: one.fileSize!,
        sha256: one.fileSha256!,
      }
      if (one.fileKey === null || !(await sendStored(req, reply, { key: one.fileKey, ...content }))) throw notReady(one)
      return reply
    },
  )

  face.post(
    '/imports',
    operation({
      id: 'startImport',
      summary: 'Import a whole project into this one, which must be new',
      description: 'For admins. The `file` is that of an export. Everything comes, or nothing does.',
      tags,
      body: schema.FileBody,
      answers: { 202: schema.ImportData },
      upload: STORE_PLACE,
      refuses: [409],
    }),
    async (req, reply) => {
      reply.code(202)
      return asImport(await actions.startProjectImport(req.ctx, (req.body as SentFile).file))
    },
  )

  face.get(
    '/imports/:import_id',
    operation({
      id: 'getImport',
      summary: 'Read how far an import is',
      tags,
      params: schema.ImportParams,
      answer: schema.ImportData,
      refuses: [403],
    }),
    async (req) => asImport(await actions.loadTransfer(req.ctx, 'import', req.params.import_id)),
  )

  face.post(
    '/imports/work_orders/preview',
    operation({
      id: 'previewWorkOrdersImport',
      summary: 'See what an import of work orders would do',
      description: 'The `file` has comma-separated values: of Jira, of Linear, or with columns like theirs.',
      tags,
      body: schema.FileBody,
      answer: schema.WorkOrdersPreview,
      upload: STORE_PLACE,
      reads: true,
      refuses: [403, 409],
    }),
    async (req) => ({
      data: await looking(req, (req.body as SentFile).file, (key) => previewWorkOrders(req.ctx, key)),
    }),
  )

  face.post(
    '/imports/work_orders',
    operation({
      id: 'importWorkOrders',
      summary: 'Import work orders',
      description: 'What was imported before is left as it is, so that a file can be sent again.',
      tags,
      body: schema.FileBody,
      answers: { 202: schema.ImportData },
      upload: STORE_PLACE,
      refuses: [409],
    }),
    async (req, reply) => {
      reply.code(202)
      return asImport(await actions.startWorkOrderImport(req.ctx, (req.body as SentFile).file))
    },
  )

  face.post(
    '/imports/documents/preview',
    operation({
      id: 'previewDocumentsImport',
      summary: 'See what an import of markdown would do',
      description: 'The `file` is a zip of markdown files. Its folders become the tree.',
      tags,
      body: schema.DocumentsBody,
      answer: schema.DocumentsPreview,
      upload: STORE_PLACE,
      reads: true,
      refuses: [403, 409],
    }),
    async (req) => {
      const { file, kind } = req.body as SentFolder
      return { data: await looking(req, file, (key) => previewDocuments(req.ctx, key, kind)) }
    },
  )

  face.post(
    '/imports/documents',
    operation({
      id: 'importDocuments',
      summary: 'Import a folder of markdown',
      description: 'What has the same title in the same place is left as it is.',
      tags,
      body: schema.DocumentsBody,
      answers: { 202: schema.ImportData },
      upload: STORE_PLACE,
      refuses: [409],
    }),
    async (req, reply) => {
      const { file, kind } = req.body as SentFolder
      reply.code(202)
      return asImport(await actions.startDocumentImport(req.ctx, file, { kind }))
    },
  )
}

/** A preview keeps nothing. */
async function looking<T>(req: FastifyRequest, file: UploadedFile, look: (key: string) => Promise<T>): Promise<T> {
  const { actor, db, store } = req.ctx
  authorizeWrite(actor)
  const shown = await inTurn(actor.projectId, async () => {
    await actions.refuseWhileBusy(db, actor.projectId)
    return look(file.key)
  })
  await store.remove([file.key])
  return shown
}
