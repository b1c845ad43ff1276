import { fork } from 'node:child_process'
import { once } from 'node:events'

/** Starts an S3 server in its own process, so that its memory does not count as the server's. */
export async function startS3(directory) {
  const child = fork(import.meta.filename, [directory], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const [port] = await once(child, 'message')
  return {
    env: {
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_BUCKET: 'bench',
      S3_ACCESS_KEY_ID: 'S3RVER',
      S3_SECRET_ACCESS_KEY: 'S3RVER',
    },
    stop: () => child.kill(),
  }
}

if (process.argv[1] === import.meta.filename) {
  const { default: S3rver } = await import('s3rver')
  const options = { address: '127.0.0.1', port: 0, silent: true, configureBuckets: [{ name: 'bench', configs: [] }] }
  const server = new S3rver({ ...options, directory: process.argv[2] })
  process.send((await server.run()).port)
}
