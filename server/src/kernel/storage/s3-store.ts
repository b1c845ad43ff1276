import type { Readable } from 'node:stream'
import type { ListMultipartUploadsCommandOutput, S3Client } from '@aws-sdk/client-s3'
import { isOwnKey } from './keys.ts'
import { PART_BYTES, uploadInParts } from './s3-upload.ts'
import {
  type ByteRange,
  checkedKey,
  outsideTransactions,
  type Store,
  type Stored,
  storeFailure,
  type Written,
} from './store.ts'

export interface S3Options {
  /** Undefined for Amazon S3. */
  endpoint: string | undefined
  bucket: string
  region: string
  /** Undefined to let the SDK find them: in `AWS_…`, a profile or the role of the machine. */
  credentials: { accessKeyId: string; secretAccessKey: string } | undefined
}

const MAX_DELETE_BATCH = 1_000

/**
 * Stores files in a bucket of any S3-compatible service. Loads the SDK on first use, because most installations never
 * need it.
 */
export function createS3Store({
  endpoint,
  bucket,
  region,
  credentials,
  installationId,
}: S3Options & { installationId: string }): Store {
  let opened: Promise<{ sdk: typeof import('@aws-sdk/client-s3'); client: S3Client }> | undefined
  const open = () => {
    opened ??= import('@aws-sdk/client-s3').then((sdk) => ({
      sdk,
      client: new sdk.S3Client({
        region,
        ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
        ...(credentials ? { credentials } : {}),
        // Not every server supports the checksums that the SDK adds by default.
        requestChecksumCalculation: 'WHEN_REQUIRED',
        responseChecksumValidation: 'WHEN_REQUIRED',
      }),
    }))
    return opened
  }

  async function write(key: string, bytes: Readable): Promise<Written> {
    checkedKey(key)
    try {
      return await uploadInParts({ ...(await open()), bucket, key }, bytes)
    } catch (err) {
      bytes.destroy()
      throw storeFailure(err)
    }
  }

  async function read(key: string, range?: ByteRange): Promise<Readable | undefined> {
    checkedKey(key)
    try {
      const { sdk, client } = await open()
      const Range = range && `bytes=${range.start}-${range.end}`
      const { Body } = await client.send(new sdk.GetObjectCommand({ Bucket: bucket, Key: key, Range }))
      return Body as Readable
    } catch (err) {
      if (isMissing(err)) return undefined
      throw storeFailure(err)
    }
  }

  async function stat(key: string): Promise<Stored | undefined> {
    checkedKey(key)
    try {
      const { sdk, client } = await open()
      const found = await client.send(new sdk.HeadObjectCommand({ Bucket: bucket, Key: key }))
      return { key, size: found.ContentLength ?? 0, modifiedAt: found.LastModified ?? new Date() }
    } catch (err) {
      if (isMissing(err)) return undefined
      throw storeFailure(err)
    }
  }

  async function remove(keys: string[]): Promise<void> {
    const all = keys.map((key) => ({ Key: checkedKey(key) }))
    try {
      const { sdk, client } = await open()
      for (let from = 0; from < all.length; from += MAX_DELETE_BATCH) {
        const Objects = all.slice(from, from + MAX_DELETE_BATCH)
        const { Errors = [] } = await client.send(
          new sdk.DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects, Quiet: true } }),
        )
        if (Errors[0]) throw new Error(`"${Errors[0].Key}" could not be removed: ${Errors[0].Message}`)
      }
    } catch (err) {
      throw storeFailure(err)
    }
  }

  async function* list(prefix: string): AsyncGenerator<Stored> {
    try {
      const { sdk, client } = await open()
      for await (const page of sdk.paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: prefix }))
        for (const { Key, Size, LastModified } of page.Contents ?? [])
          if (Key !== undefined) yield { key: Key, size: Size ?? 0, modifiedAt: LastModified ?? new Date() }
    } catch (err) {
      throw storeFailure(err)
    }
  }

  async function removeUnfinished(before: Date): Promise<void> {
    try {
      const { sdk, client } = await open()
      const listed = { Bucket: bucket, Prefix: `${installationId}/` }
      let page: ListMultipartUploadsCommandOutput | undefined
      do {
        const after = page && { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker }
        page = await client.send(new sdk.ListMultipartUploadsCommand({ ...listed, ...after }))
        for (const { Key = '', UploadId, Initiated } of page.Uploads ?? [])
          if (isOwnKey(installationId, Key) && Initiated !== undefined && Initiated < before)
            await client.send(new sdk.AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId }))
      } while (page.IsTruncated)
    } catch (err) {
      // Some servers do not support the list. A lifecycle rule of the bucket does the same there.
      if ((err as { name?: string }).name !== 'NotImplemented') throw storeFailure(err)
    }
  }

  return outsideTransactions({
    bucket,
    installationId,
    writeBufferBytes: PART_BYTES,
    write,
    read,
    stat,
    remove,
    list,
    removeUnfinished,
  })
}

function isMissing(err: unknown): boolean {
  const { name, $metadata } = err as { name?: string; $metadata?: { httpStatusCode?: number } }
  return name === 'NoSuchKey' || name === 'NotFound' || $metadata?.httpStatusCode === 404
}
