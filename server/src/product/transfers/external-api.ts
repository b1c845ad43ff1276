import type { FastifyRequest } from 'fastify'
import { sendStored } from '../../kernel/http/answers/stored-content.ts'
import type { UploadedFile } from '../../kernel/http/bodies/multipart.ts'
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
    {
      schema: {
        operationId: 'listTransfers',
        summary: 'List the latest exports and imports',
        description: 'Admins see all of them, others their own.',
        tags,
        response: { 200: schema.TransferItems },
      },
    },
    async (req) => ({ items: (await actions.listTransfers(req.ctx)).map(presentTransfer) }),
  )

  face.post(
    '/exports',
    {
      config: { refuses: [409], optionalBody: true },
      schema: {
        operationId: 'startExport',
        summary: 'Export the whole project',
        description: 'For admins. Ask for it until its state is `done`, then download its content.',
        tags,
        response: { 202: schema.ExportData },
      },
    },
    async (req, reply) => {
      reply.code(202)
      return asExport(await actions.startExport(req.ctx))
    },
  )

  face.get(
    '/exports/:export_id',
    {
      config: { refuses: [403] },
      schema: {
        operationId: 'getExport',
        summary: 'Read how far an export is',
        tags,
        params: schema.ExportParams,
        response: { 200: schema.ExportData },
      },
    },
    async (req) => asExport(await actions.loadTransfer(req.ctx, 'export', req.params.export_id)),
  )

  face.get(
    '/exports/:export_id/content',
    {
      config: { etag: true, refuses: [403, 409, 416] },
      schema: {
        operationId: 'getExportContent',
        summary: 'Download an export',
        description: 'A zip file, for a day. One `Range` is served.',
        tags,
        params: schema.ExportParams,
        response: { 200: schema.ArchiveContent, 206: schema.ArchiveContent },
      },
    },
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
      return reply as never
    },
  )

  face.post(
    '/imports',
    {
      config: { upload: STORE_PLACE, refuses: [409] },
      schema: {
        operationId: 'startImport',
        summary: 'Import a whole project into this one, which must be new',
        description: 'For admins. The `file` is that of an export. Everything comes, or nothing does.',
        tags,
        body: schema.FileBody,
        response: { 202: schema.ImportData },
      },
    },
    async (req, reply) => {
      reply.code(202)
      return asImport(await actions.startProjectImport(req.ctx, (req.body as SentFile).file))
    },
  )

  face.get(
    '/imports/:import_id',
    {
      config: { refuses: [403] },
      schema: {
        operationId: 'getImport',
        summary: 'Read how far an import is',
        tags,
        params: schema.ImportParams,
        response: { 200: schema.ImportData },
      },
    },
    async (req) => asImport(await actions.loadTransfer(req.ctx, 'import', req.params.import_id)),
  )

  face.post(
    '/imports/work_orders/preview',
    {
      config: { upload: STORE_PLACE, reads: true, refuses: [403, 409] },
      schema: {
        operationId: 'previewWorkOrdersImport',
        summary: 'See what an import of work orders would do',
        description: 'The `file` has comma-separated values: of Jira, of Linear, or with columns like theirs.',
        tags,
        body: schema.FileBody,
        response: { 200: schema.WorkOrdersPreview },
      },
    },
    async (req) => ({
      data: await looking(req, (req.body as SentFile).file, (key) => previewWorkOrders(req.ctx, key)),
    }),
  )

  face.post(
    '/imports/work_orders',
    {
      config: { upload: STORE_PLACE, refuses: [409] },
      schema: {
        operationId: 'importWorkOrders',
        summary: 'Import work orders',
        description: 'What was imported before is left as it is, so that a file can be sent again.',
        tags,
        body: schema.FileBody,
        response: { 202: schema.ImportData },
      },
    },
    async (req, reply) => {
      reply.code(202)
      return asImport(await actions.startWorkOrderImport(req.ctx, (req.body as SentFile).file))
    },
  )

  face.post(
    '/imports/documents/preview',
    {
      config: { upload: STORE_PLACE, reads: true, refuses: [403, 409] },
      schema: {
        operationId: 'previewDocumentsImport',
        summary: 'See what an import of markdown would do',
        description: 'The `file` is a zip of markdown files. Its folders become the tree.',
        tags,
        body: schema.DocumentsBody,
        response: { 200: schema.DocumentsPreview },
      },
    },
    async (req) => {
      const { file, kind } = req.body as SentFolder
      return { data: await looking(req, file, (key) => previewDocuments(req.ctx, key, kind)) }
    },
  )

  face.post(
    '/imports/documents',
    {
      config: { upload: STORE_PLACE, refuses: [409] },
      schema: {
        operationId: 'importDocuments',
        summary: 'Import a folder of markdown',
        description: 'What has the same title in the same place is left as it is.',
        tags,
        body: schema.DocumentsBody,
        response: { 202: schema.ImportData },
      },
    },
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
