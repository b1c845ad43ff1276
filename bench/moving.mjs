import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { createWriteStream, openAsBlob } from 'node:fs'
import { chmod, mkdtemp, rm, stat } from 'node:fs/promises'
import os from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { ZipFile } from 'yazl'
import { memoryOf, startServer, stopAll } from './processes.mjs'
import { DOCUMENT_BYTES } from './seed.mjs'
import { markdown, randomSource } from './words.mjs'

/**
 * Measures how long it takes to import a folder of markdown, to export the project and to import it into another one, and
 * how much the memory of the server grows meanwhile. `--documents 10000`, `--files 20` (of 5 MiB each).
 */

const API = '/v2/external-api'
const MIB = 1024 * 1024
const optionOf = (name, otherwise) => {
  const at = process.argv.indexOf(`--${name}`)
  return at === -1 ? otherwise : Number(process.argv[at + 1])
}
const DOCUMENTS = optionOf('documents', 10_000)
const FILES = optionOf('files', 20)
const EMAIL = 'bench@example.org'

async function packFolder(place) {
  const random = randomSource(7)
  const zip = new ZipFile()
  for (let i = 0; i < DOCUMENTS; i++) {
    const folder = `area-${Math.floor(i / 500)}/part-${Math.floor(i / 25)}`
    zip.addReadStreamLazy(`docs/${folder}/note-${i}.md`, (give) =>
      give(null, Readable.from([`# Note ${i}\n\n${markdown(random, DOCUMENT_BYTES)}`])),
    )
  }
  zip.end()
  await pipeline(zip.outputStream, createWriteStream(place))
}

async function send(origin, key, path, place, name) {
  const form = new FormData()
  form.set('kind', 'blueprints')
  form.set('file', await openAsBlob(place), name)
  const res = await fetch(`${origin}${API}${path}`, { method: 'POST', headers: { 'x-api-key': key }, body: form })
  if (!res.ok) throw new Error(`${path} was answered ${res.status}: ${await res.text()}`)
  return (await res.json()).data
}

/** Waits for the end, and measures the memory of the server meanwhile. */
async function finished(server, key, path, started) {
  const before = (await memoryOf(server.pid)).now
  const since = performance.now()
  let peak = before
  for (;;) {
    const res = await fetch(`${server.origin}${API}/${path}/${started.id}`, { headers: { 'x-api-key': key } })
    const { data } = await res.json()
    peak = Math.max(peak, (await memoryOf(server.pid)).now)
    if (data.state === 'failed') throw new Error(data.error)
    if (data.state === 'done') {
      const seconds = (performance.now() - since) / 1000
      return { data, seconds, growth: peak - before, before }
    }
    await delay(50)
  }
}

const say = (what, { seconds, growth, before }) =>
  console.log(`${what}: ${seconds.toFixed(1)} s, +${growth.toFixed(0)} MiB on ${before.toFixed(0)} MiB`)

async function main() {
  execFileSync(process.execPath, [join(import.meta.dirname, '..', 'server', 'build.mjs')], { stdio: 'inherit' })
  const folder = await mkdtemp(join(os.tmpdir(), 'slipway-bench-'))
  // The embedded PostgreSQL may run as another user.
  await chmod(folder, 0o755)
  process.env.UPLOAD_LIMIT_BYTES = String(4 * 1024 * MIB)
  try {
    const server = await startServer(join(folder, 'data'), [])
    await server.admin('user', 'add', '--email', EMAIL, '--name', 'Bench')
    const keyOf = async (project) => {
      await server.admin('member', 'add', '--project', project, '--email', EMAIL, '--role', 'admin')
      const flags = ['--kind', 'external', '--project', project, '--email', EMAIL, '--name', 'bench']
      return (await server.admin('key', 'add', ...flags)).key
    }
    const key = await keyOf('My project')
    const notes = join(folder, 'notes.zip')
    await packFolder(notes)
    const started = await send(server.origin, key, '/imports/documents', notes, 'notes.zip')
    const written = await finished(server, key, 'imports', started)
    say(`import of a folder, ${written.data.counts.created} documents`, written)
    for (let i = 0; i < FILES; i++) {
      const form = new FormData()
      form.set('file', new Blob([randomBytes(5 * MIB)]), `file ${i}.bin`)
      await fetch(`${server.origin}${API}/artifacts`, { method: 'POST', headers: { 'x-api-key': key }, body: form })
    }

    const begun = await fetch(`${server.origin}${API}/exports`, { method: 'POST', headers: { 'x-api-key': key } })
    const exporting = await finished(server, key, 'exports', (await begun.json()).data)
    say(`export, ${exporting.data.counts.documents} documents`, exporting)
    const archive = join(folder, 'project.zip')
    const path = `${API}/exports/${exporting.data.id}/content`
    const { body } = await fetch(server.origin + path, { headers: { 'x-api-key': key } })
    await pipeline(body, createWriteStream(archive))
    console.log(`the file has ${((await stat(archive)).size / MIB).toFixed(1)} MiB`)

    await server.admin('project', 'add', '--name', 'Copy')
    const copyKey = await keyOf('Copy')
    const importing = await finished(
      server,
      copyKey,
      'imports',
      await send(server.origin, copyKey, '/imports', archive, 'project.zip'),
    )
    say(`import, ${importing.data.counts.documents} documents`, importing)
    if (importing.data.counts.documents !== exporting.data.counts.documents) throw new Error('Documents were lost.')
  } finally {
    await stopAll()
    await rm(folder, { recursive: true, force: true })
  }
}

await main()
