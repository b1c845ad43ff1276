import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import S3rver from 's3rver'
import { createS3Store, type S3Options } from './s3-store.ts'
import type { Store } from './store.ts'

export interface S3Server {
  options: S3Options
  store: Store
  close(): Promise<void>
}

/** Starts an S3 server with one empty bucket. */
export async function openS3(): Promise<S3Server> {
  const directory = await mkdtemp(path.join(tmpdir(), 'slipway-s3-'))
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: 'bucket', configs: [] }],
  })
  const { port } = await server.run()
  const options: S3Options = {
    endpoint: `http://127.0.0.1:${port}`,
    bucket: 'bucket',
    region: 'us-east-1',
    credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
  }
  return {
    options,
    store: createS3Store({ ...options, installationId: randomUUID() }),
    async close() {
      await server.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

interface UnfinishedUpload {
  key: string
  initiated: Date
}

/**
 * Emulates the two S3 operations on unfinished uploads, with two uploads per page. s3rver does not support the list.
 */
export async function openUnfinishedUploads(uploads: UnfinishedUpload[]) {
  const left = new Map(uploads.map((one) => [one.key, one]))
  const server = createServer((req, res) => {
    const { pathname, searchParams } = new URL(req.url!, 'http://s3')
    if (req.method === 'DELETE' && searchParams.has('uploadId')) {
      left.delete(pathname.replace('/bucket/', ''))
      res.writeHead(204).end()
      return
    }
    const [prefix, after] = [searchParams.get('prefix') ?? '', searchParams.get('key-marker') ?? '']
    const matching = [...left.keys()].sort().filter((key) => key.startsWith(prefix) && key > after)
    const page = matching.slice(0, 2)
    const listed = page.map(
      (key) =>
        `<Upload><Key>${key}</Key><UploadId>u</UploadId><Initiated>${left.get(key)!.initiated.toISOString()}</Initiated></Upload>`,
    )
    const next = `<NextKeyMarker>${page.at(-1)}</NextKeyMarker><NextUploadIdMarker>u</NextUploadIdMarker>`
    res.end(
      `<ListMultipartUploadsResult><IsTruncated>${matching.length > 2}</IsTruncated>${next}${listed.join('')}</ListMultipartUploadsResult>`,
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    keys: () => [...left.keys()].sort(),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
