import type { Readable } from 'node:stream'
import type { CompletedPart, S3Client } from '@aws-sdk/client-s3'
import { createMeter, type Written } from './store.ts'

/** The minimum that S3 allows. */
export const PART_BYTES = 5 * 1024 * 1024
const MAX_SPARE_BUFFERS = 4
const spareBuffers: Buffer[] = []

interface Target {
  sdk: typeof import('@aws-sdk/client-s3')
  client: S3Client
  bucket: string
  key: string
}

/**
 * Uploads a stream of unknown length in parts. Each upload fills and sends one buffer repeatedly, and later uploads
 * reuse it: a new buffer per part would stay in memory until the next garbage collection.
 */
export async function uploadInParts(target: Target, bytes: Readable): Promise<Written> {
  const buffer = spareBuffers.pop() ?? Buffer.allocUnsafeSlow(PART_BYTES)
  const meter = createMeter()
  const upload = createUpload(target)
  let filled = 0
  try {
    for await (const chunk of bytes as AsyncIterable<Buffer>) {
      meter.count(chunk)
      for (let from = 0; from < chunk.length; ) {
        if (filled === PART_BYTES) {
          await upload.send(buffer)
          filled = 0
        }
        const copied = chunk.copy(buffer, filled, from)
        filled += copied
        from += copied
      }
    }
    await upload.finish(buffer.subarray(0, filled))
    return meter.written()
  } catch (err) {
    await upload.abort().catch(() => undefined)
    throw err
  } finally {
    if (spareBuffers.length < MAX_SPARE_BUFFERS) spareBuffers.push(buffer)
  }
}

/** Nothing is visible before `finish`. Content that fits into one part is sent in one request. */
function createUpload({ sdk, client, bucket, key }: Target) {
  const place = { Bucket: bucket, Key: key }
  const parts: CompletedPart[] = []
  let UploadId: string | undefined

  async function send(part: Buffer): Promise<void> {
    UploadId ??= (await client.send(new sdk.CreateMultipartUploadCommand(place))).UploadId
    const PartNumber = parts.length + 1
    const { ETag } = await client.send(new sdk.UploadPartCommand({ ...place, UploadId, PartNumber, Body: part }))
    parts.push({ ETag, PartNumber })
  }

  async function finish(last: Buffer): Promise<void> {
    if (UploadId === undefined) {
      await client.send(new sdk.PutObjectCommand({ ...place, Body: last }))
      return
    }
    await send(last)
    const MultipartUpload = { Parts: parts }
    await client.send(new sdk.CompleteMultipartUploadCommand({ ...place, UploadId, MultipartUpload }))
  }

  async function abort(): Promise<void> {
    if (UploadId !== undefined) await client.send(new sdk.AbortMultipartUploadCommand({ ...place, UploadId }))
  }

  return { send, finish, abort }
}
