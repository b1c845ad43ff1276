import { Readable } from 'node:stream'
import type { Ctx, TxCtx } from '../../../kernel/context.ts'
import { inTransaction } from '../../../kernel/database/index.ts'
import { conflict, invalid, notFound } from '../../../kernel/errors.ts'
import { newKey, type Store } from '../../../kernel/storage/index.ts'
import { uuidv7 } from '../../../kernel/uuid.ts'
import { authorizeWrite } from '../../projects/index.ts'
import { createArtifact, replaceContent } from '../actions.ts'
import { type Artifact, STORE_PLACE, type StoredContent } from '../artifact.ts'
import { enqueueRemoval } from '../bytes.ts'
import {
  deleteUpload,
  findUpload,
  insertUpload,
  listParts,
  type PartialUpload,
  putPart,
  type UploadPart,
} from './upload-queries.ts'

export const PART_BYTES = 8 * 1024 * 1024

const partsOf = ({ sizeBytes }: PartialUpload) => Math.max(1, Math.ceil(sizeBytes / PART_BYTES))
const sizeOf = (upload: PartialUpload, number: number) =>
  number < partsOf(upload) ? PART_BYTES : upload.sizeBytes - (partsOf(upload) - 1) * PART_BYTES

export async function beginUpload(
  ctx: Ctx,
  { sizeBytes, contentType, limitBytes }: { sizeBytes: number; contentType: string; limitBytes: number },
): Promise<PartialUpload> {
  authorizeWrite(ctx.actor)
  if (sizeBytes > limitBytes)
    throw invalid([{ pointer: '/size_bytes', detail: `A file has at most ${limitBytes} bytes. Choose a smaller one.` }])
  const upload = { id: uuidv7(), sizeBytes, contentType }
  await insertUpload(ctx.db, ctx.actor.projectId, { ...upload, userId: ctx.actor.userId! })
  return upload
}

export async function loadUpload(ctx: Ctx, id: string): Promise<PartialUpload> {
  const { projectId, userId } = ctx.actor
  const upload = await findUpload(ctx.db, projectId, userId, id)
  if (!upload) throw notFound('upload', id)
  return upload
}

/** The numbers of the parts that have arrived. */
export const receivedParts = async (ctx: Ctx, id: string) =>
  (await listParts(ctx.db, ctx.actor.projectId, id)).map(({ number }) => number)

/** Takes a part, which is in the store already. A part that is sent again replaces the first. */
export function takePart(ctx: Ctx, id: string, part: UploadPart): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const upload = await loadUpload(ctx, id)
    authorizeWrite(ctx.actor)
    const expected = part.number <= partsOf(upload) ? sizeOf(upload, part.number) : undefined
    if (part.size !== expected)
      throw conflict(
        'wrong_part',
        `Part ${part.number} has ${part.size} bytes. The upload has ${partsOf(upload)} parts of ${PART_BYTES} bytes, the last of ${sizeOf(upload, partsOf(upload))}. Send the part again.`,
      )
    const old = await putPart(ctx.db, ctx.actor.projectId, id, part)
    if (old) await enqueueRemoval(ctx.db, [old])
  })
}

/** Writes all parts under one new key. Undefined if there is no such upload, for example because it is finished. */
export async function assembleUpload(ctx: Ctx, id: string): Promise<StoredContent | undefined> {
  const { projectId, userId } = ctx.actor
  const upload = await findUpload(ctx.db, projectId, userId, id)
  if (!upload) return undefined
  const parts = await listParts(ctx.db, projectId, id)
  const missing = partsOf(upload) - parts.length
  if (missing > 0)
    throw conflict('parts_missing', `${missing} of ${partsOf(upload)} parts are missing. Send them, then finish again.`)
  const key = newKey(ctx.store, STORE_PLACE, projectId)
  const { size, sha256 } = await ctx.store.write(key, Readable.from(bytesOf(ctx.store, parts), { objectMode: false }))
  return { key, contentType: upload.contentType, size, sha256 }
}

async function* bytesOf(store: Store, parts: UploadPart[]): AsyncGenerator<Buffer> {
  for (const { key } of parts) {
    const bytes = await store.read(key)
    if (!bytes) throw new Error(`The part ${key} of an upload is gone.`)
    yield* bytes as AsyncIterable<Buffer>
  }
}

export interface Finish {
  name: string
  parentId: string | null | undefined
  /** The file whose content it becomes, instead of a new file. */
  replaces: string | undefined
}

export function finishUpload(ctx: Ctx, id: string, content: StoredContent, finish: Finish): Promise<Artifact> {
  return inTransaction(ctx, async (ctx) => {
    const { name, parentId, replaces } = finish
    const artifact = replaces
      ? await replaceContent(ctx, replaces, content)
      : await createArtifact(ctx, { type: 'file', name, content, markdownContent: null, parentId })
    await forget(ctx, id)
    return artifact
  })
}

export function cancelUpload(ctx: Ctx, id: string): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    await loadUpload(ctx, id)
    await forget(ctx, id)
  })
}

async function forget(ctx: TxCtx, id: string): Promise<void> {
  await enqueueRemoval(ctx.db, await deleteUpload(ctx.db, ctx.actor.projectId, id))
}
