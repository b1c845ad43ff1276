import { mkdtemp, rm } from 'node:fs/promises'
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

/** A server that speaks S3, with one empty bucket. */
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
    store: createS3Store(options),
    async close() {
      await server.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
