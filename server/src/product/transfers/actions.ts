import type { Ctx } from '../../kernel/context.ts'
import { type Db, inTransaction } from '../../kernel/database/index.ts'
import { conflict, forbidden } from '../../kernel/errors.ts'
import { recordEvent } from '../../kernel/events.ts'
import type { UploadedFile } from '../../kernel/http/bodies/multipart.ts'
import { enqueue } from '../../kernel/jobs/jobs.ts'
import { uuidv7 } from '../../kernel/uuid.ts'
import { authorizeWrite, findProject } from '../projects/index.ts'
import { transferEvents } from './events.ts'
import { notEmpty } from './importing/project.ts'
import * as queries from './queries.ts'
import { RUN_TRANSFER } from './run.ts'
import { type Kind, noSuchTransfer, type Transfer } from './transfer.ts'

/** An export has everything, and an import fills a whole project. */
export function authorizeWhole({ actor }: Ctx): void {
  if (actor.projectRole !== 'admin')
    throw forbidden('not_admin', 'Only an admin of the project may export or import the whole of it.')
}

const MOST_LISTED = 20

/** Admins see all of them, others their own. */
export function listTransfers({ db, actor }: Ctx): Promise<Transfer[]> {
  const ofUser = actor.projectRole === 'admin' ? undefined : actor.userId!
  return queries.listTransfers(db, actor.projectId, ofUser, MOST_LISTED)
}

export async function loadTransfer(ctx: Ctx, kind: 'export' | 'import', id: string): Promise<Transfer> {
  const found = await queries.findTransfer(ctx.db, ctx.actor.projectId, id)
  if (!found || (found.kind === 'export') !== (kind === 'export')) throw noSuchTransfer(kind, id)
  if (found.requestedBy !== ctx.actor.userId) authorizeWhole(ctx)
  return found
}

export async function refuseWhileBusy(db: Db, projectId: string): Promise<void> {
  if (await queries.isBusy(db, projectId))
    throw conflict('transfer_running', 'An export or import of this project is going on. Wait until it is over.')
}

export async function startExport(ctx: Ctx): Promise<Transfer> {
  authorizeWhole(ctx)
  const project = await findProject(ctx.db, ctx.actor.projectId)
  const name =
    project!.name
      .replaceAll(/[^\p{L}\d]+/gu, '-')
      .replaceAll(/^-|-$/g, '')
      .toLowerCase() || 'project'
  return start(ctx, 'export', { fileName: `${name}-${new Date().toISOString().slice(0, 10)}.zip` })
}

export async function startProjectImport(ctx: Ctx, file: UploadedFile): Promise<Transfer> {
  authorizeWhole(ctx)
  if (!(await queries.isUntouched(ctx.db, ctx.actor.projectId))) throw notEmpty()
  return start(ctx, 'project', namedFile(file, 'project.zip'))
}

export function startWorkOrderImport(ctx: Ctx, file: UploadedFile): Promise<Transfer> {
  authorizeWrite(ctx.actor)
  return start(ctx, 'work_orders', namedFile(file, 'work-orders.csv'))
}

export function startDocumentImport(ctx: Ctx, file: UploadedFile, options: { kind: string }): Promise<Transfer> {
  authorizeWrite(ctx.actor)
  return start(ctx, 'documents', { ...namedFile(file, 'documents.zip'), options })
}

const namedFile = (file: UploadedFile, otherwise: string) => ({
  fileKey: file.key,
  fileName: (file.fileName ?? otherwise)
    .toWellFormed()
    .replace(/\p{Cc}/gu, '_')
    .slice(0, 200),
  fileSize: file.size,
})

interface Asked {
  fileName: string
  fileKey?: string
  fileSize?: number
  options?: Record<string, unknown>
}

function start(ctx: Ctx, kind: Kind, { fileName, fileKey, fileSize, options }: Asked): Promise<Transfer> {
  return inTransaction(ctx, async (ctx) => {
    const { projectId, userId } = ctx.actor
    await refuseWhileBusy(ctx.db, projectId)
    const transfer = await queries.insertTransfer(ctx.db, projectId, {
      id: uuidv7(),
      kind,
      requestedBy: userId,
      fileKey: fileKey ?? null,
      fileName,
      fileSize: fileSize ?? null,
      ...(options && { options }),
    })
    const started = kind === 'export' ? transferEvents.export_started : transferEvents.import_started
    await recordEvent(ctx, started(projectId, { kind, file_name: fileName }))
    await enqueue(ctx.db, RUN_TRANSFER, [{ projectId, id: transfer.id }])
    return transfer
  })
}
