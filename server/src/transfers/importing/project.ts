import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Type } from 'typebox'
import { forProject, inTransaction } from '../../kernel/database/index.ts'
import { conflict } from '../../kernel/errors.ts'
import { recordEvent } from '../../kernel/events.ts'
import { bodyChecker } from '../../kernel/http/validation.ts'
import { countRows, deleteRows, hasFault } from '../../kernel/moving/rows.ts'
import type { MovedTable, Row } from '../../kernel/moving/table.ts'
import type { JobDeps } from '../../kernel/slice.ts'
import { newKey, type Store } from '../../kernel/storage/index.ts'
import { FORMAT, FORMAT_VERSION } from '../exporting/archive.ts'
import { endTransfer, isUntouched, type Key, lockProject, type Person } from '../queries.ts'
import { requesterCtx } from '../requester.ts'
import { MOVED_TABLES } from '../tables.ts'
import type { Work, Worked } from '../work.ts'
import { type Archive, fail, openArchive } from './archive.ts'
import { KeyRow, PersonRow, settlePeople } from './people.ts'
import { checkedRows, createNoter, createRenewal, type Ids, insertFile, type Listed } from './rows.ts'
import { unusable } from './unusable.ts'

const MANIFEST_BYTES = 1024 * 1024
const MOST_PEOPLE = 100_000

const Manifest = Type.Object({
  format: Type.String(),
  version: Type.Integer(),
  project: Type.Object({ name: Type.String() }),
  tables: Type.Array(
    Type.Object({
      path: Type.String(),
      rows: Type.Integer({ minimum: 0 }),
      sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    }),
    { maxItems: 1_000 },
  ),
})

export const notEmpty = () =>
  conflict(
    'project_not_empty',
    'A project can be imported only into one that is new: somebody has already worked in this one. Make another project for it.',
  )

/** Brings a whole project, or nothing of it. */
export async function importProject(deps: JobDeps, work: Work): Promise<Worked> {
  const folder = await mkdtemp(path.join(tmpdir(), 'slipway-import-'))
  try {
    return await withArchive(deps.store, work.transfer.fileKey!, folder, (archive) =>
      importArchive(deps, work, archive),
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Reading a zip file starts at its end, so it has to lie on this disk. */
export async function withArchive<T>(
  store: Store,
  fileKey: string,
  folder: string,
  run: (archive: Archive) => Promise<T>,
): Promise<T> {
  const place = path.join(folder, 'archive.zip')
  const bytes = await store.read(fileKey)
  if (!bytes) throw unusable('The uploaded file is gone. Upload it again.')
  await pipeline(bytes, createWriteStream(place, { flags: 'wx', mode: 0o600 }))
  const archive = await openArchive(place)
  try {
    return await run(archive)
  } finally {
    archive.close()
  }
}

interface Source {
  table: MovedTable
  file: Listed
}

async function importArchive(deps: JobDeps, work: Work, archive: Archive): Promise<Worked> {
  const { projectId, progress } = work
  const manifest = await readManifest(archive)
  const fileOf = (name: string) => {
    const file = manifest.tables.find((one) => one.path === name)
    if (!file) throw unusable(`"manifest.json" does not name "${name}".`)
    return file
  }
  const sources = MOVED_TABLES.map((table): Source => ({ table, file: fileOf(`data/${table.name}.jsonl`) }))
  const people = await readAll<Person>(archive, fileOf('people.jsonl'), PersonRow)
  const keys = await readAll<Key>(archive, fileOf('keys.jsonl'), KeyRow)
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
  // Every row is read twice: everything is checked, and all bytes are stored, before the transaction begins.
  progress.total = 2 * rows
  const stored: string[] = []
  try {
    const ids = { people: idsIn(people), keys: idsIn(keys), rows: new Set<string>() }
    const bytesOf = new Map<MovedTable, (string | null)[]>()
    for (const source of sources) bytesOf.set(source.table, await checkFile(deps, work, archive, source, ids, stored))
    const checked = progress.done
    const ctx = await requesterCtx({ ...deps, db: forProject(deps.db, projectId) }, work)
    return await inTransaction(ctx, async (ctx) => {
      progress.done = checked
      progress.counts = { files: stored.length }
      await lockProject(ctx.db, projectId)
      if (!(await isUntouched(ctx.db, projectId))) throw notEmpty()
      const renew = createRenewal(ids, await settlePeople(ctx.db, ctx.actor, people, keys))
      for (const { table } of sources.toReversed())
        if ((await countRows(ctx.db, projectId, table)) > 0) await deleteRows(ctx.db, projectId, table)
      for (const { table, file } of sources) {
        const bytes = bytesOf.get(table)!.values()
        await insertFile(ctx.db, projectId, { archive, file, table, renew, bytes }, (count) => {
          progress.done += count
          progress.counts[table.name] = (progress.counts[table.name] ?? 0) + count
        })
        work.check()
      }
      for (const { table, file } of sources)
        for (const { fault, broken } of table.rules ?? [])
          if (await hasFault(ctx.db, projectId, broken)) throw unusable(`"${file.path}": ${fault}`)
      await recordEvent(ctx, {
        kind: 'project.imported',
        subjectType: 'project',
        subjectId: projectId,
        payload: { name: manifest.project.name, counts: progress.counts },
      })
      progress.done = progress.total!
      if (!(await endTransfer(ctx.db, work, { state: 'done', progress }))) throw new Error('Another node took over.')
      return { problems: [], isEnded: true }
    })
  } catch (err) {
    // What is forgotten here because the process dies, the sweeper finds.
    await deps.store.remove(stored).catch(() => undefined)
    throw err
  }
}

const idsIn = (rows: { id: string }[]) => new Set(rows.map(({ id }) => id))

async function readManifest(archive: Archive) {
  const text = await archive.readText('manifest.json', MANIFEST_BYTES)
  let manifest: { format: string; version: number; project: { name: string }; tables: (Listed & { rows: number })[] }
  try {
    manifest = JSON.parse(text)
  } catch {
    throw unusable('"manifest.json" is not JSON.')
  }
  if (bodyChecker(Manifest)(manifest) || manifest.format !== FORMAT)
    throw unusable('This is not the export of a project: "manifest.json" is not as it should be.')
  if (manifest.version !== FORMAT_VERSION)
    throw unusable(
      `The export has version ${manifest.version} of the format, and this server reads version ${FORMAT_VERSION}. Update the server.`,
    )
  return manifest
}

async function readAll<T>(archive: Archive, file: Listed, shape: object): Promise<T[]> {
  const all: T[] = []
  for await (const { row } of checkedRows(archive, file, shape)) {
    if (all.length >= MOST_PEOPLE) throw unusable(`"${file.path}" has more than ${MOST_PEOPLE} lines.`)
    all.push(row as T)
  }
  return all
}

/** Checks the rows of a file and stores their bytes. Returns the key of each row. */
async function checkFile(
  { store }: JobDeps,
  work: Work,
  archive: Archive,
  { table, file }: Source,
  ids: Ids,
  stored: string[],
): Promise<(string | null)[]> {
  const keys: (string | null)[] = []
  const note = createNoter(table, ids)
  for await (const { row, number } of checkedRows(archive, file, table.row)) {
    work.progress.done++
    if (number % 500 === 0) work.check()
    note(row)
    if (!table.bytes) continue
    const key = row.sha256 === null ? null : await storeBytes(store, work, archive, table, row)
    keys.push(key)
    if (key !== null) stored.push(key)
  }
  return keys
}

async function storeBytes(store: Store, work: Work, archive: Archive, table: MovedTable, row: Row): Promise<string> {
  const { place, size } = table.bytes!
  const name = `files/${row.sha256}`
  const key = newKey(store, place, work.projectId)
  if (archive.sizeOf(name) !== row[size]) throw unusable(`"${name}" has another size than its row says.`)
  const bytes = await archive.read(name)
  let damage: unknown
  bytes.once('error', (err) => {
    damage = err
  })
  const written = await store.write(key, bytes).catch((err) => {
    throw damage ? fail(damage) : err
  })
  if (written.sha256 === row.sha256) return key
  await store.remove([key])
  throw unusable(`"${name}" has another content than its name says.`)
}
