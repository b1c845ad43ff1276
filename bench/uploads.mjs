import { execFileSync } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { request } from 'node:http'
import os from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { memoryOf, startServer, stopAll } from './processes.mjs'

/**
 * Measures how much memory an upload takes: uploads files of 100 MiB, one after the other and then four at once, and
 * samples the resident memory of the server. `--s3` stores them in an S3 server in another process.
 */

const MIB = 1024 * 1024
const SIZE = 100 * MIB
const ROUNDS = 5
const chunk = Buffer.alloc(256 * 1024, 'slipway ')

async function upload({ origin, headers }, name, size) {
  const head = `--b\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n`
  function* body() {
    yield Buffer.from(head)
    for (let left = size; left > 0; left -= chunk.length) yield chunk.subarray(0, Math.min(left, chunk.length))
    yield Buffer.from('\r\n--b--\r\n')
  }
  const started = performance.now()
  const status = await new Promise((resolve, reject) => {
    const req = request(`${origin}/v2/external-api/artifacts`, {
      method: 'POST',
      headers: {
        ...headers,
        'content-type': 'multipart/form-data; boundary=b',
        'content-length': head.length + size + 9,
      },
    })
    req.on('response', (res) => res.resume().on('end', () => resolve(res.statusCode)))
    req.on('error', reject)
    Readable.from(body()).pipe(req)
  })
  if (status !== 201) throw new Error(`The upload was answered ${status}.`)
  return (performance.now() - started) / 1000
}

async function growthDuring(server, run) {
  const before = (await memoryOf(server.pid)).now
  let peak = before
  const timer = setInterval(async () => {
    peak = Math.max(peak, (await memoryOf(server.pid)).now)
  }, 5)
  const result = await run()
  clearInterval(timer)
  return { growth: peak - before, before, result }
}

async function main() {
  execFileSync(process.execPath, [join(import.meta.dirname, '..', 'server', 'build.mjs')], { stdio: 'inherit' })
  const folder = await mkdtemp(join(os.tmpdir(), 'slipway-bench-'))
  // The embedded PostgreSQL may run as another user.
  await chmod(folder, 0o755)
  let s3
  try {
    if (process.argv.includes('--s3')) {
      const { startS3 } = await import('./s3.mjs')
      s3 = await startS3(join(folder, 's3'))
      Object.assign(process.env, s3.env)
    }
    const server = await startServer(join(folder, 'data'), [])
    // The first upload loads modules, which does not count.
    for (let i = 0; i < 20; i++) await upload(server, `warm ${i}`, 64 * 1024)
    for (let i = 0; i < ROUNDS; i++) {
      const { growth, before, result } = await growthDuring(server, () => upload(server, `one ${i}`, SIZE))
      console.log(`100 MiB: +${growth.toFixed(1)} MiB on ${before.toFixed(0)} MiB, ${(100 / result).toFixed(0)} MiB/s`)
    }
    const four = () => Promise.all([1, 2, 3, 4].map((i) => upload(server, `four ${i}`, SIZE)))
    const { growth, before } = await growthDuring(server, four)
    console.log(`4 × 100 MiB at once: +${growth.toFixed(1)} MiB on ${before.toFixed(0)} MiB`)
  } finally {
    await stopAll()
    s3?.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

await main()
