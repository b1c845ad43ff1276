import type { FileHandle } from 'node:fs/promises'
import type { Ctx } from '../../../kernel/context.ts'
import { errorCode, forProject, inTransaction } from '../../../kernel/database/index.ts'
import { conflict, quoted } from '../../../kernel/errors.ts'
import { recordEvent } from '../../../kernel/events.ts'
import { countRows, deleteRows, hasFault, insertRows } from '../../../kernel/moving/rows.ts'
import type { JobDeps } from '../../../kernel/slice.ts'
import { newKey, openNamelessFile, readOpenFile } from '../../../kernel/storage/index.ts'
import { transferEvents } from '../events.ts'
import { endTransfer, isUntouched, lockProject } from '../queries.ts'
import { readUpload } from '../reading.ts'
import { collectRemarks } from '../remarks.ts'
import { requesterCtx } from '../requester.ts'
import { MOVED_TABLES } from '../tables.ts'
import type { Work, Worked } from '../work.ts'
import { insertPeople, type Settlement, settlePeople } from './people.ts'
import type { FoundFile, ProjectInput, ProjectPortion, SpooledBatch } from './read-project.ts'
import { unusable } from './unusable.ts'

const thread = new URL('./project-thread.js', import.meta.url)

export const notEmpty = () =>
  conflict(
    'project_not_empty',
    'A project can be imported only into one that is new: somebody has already worked in this one. Make another project for it.',
  )

interface Files {
  scratch: FileHandle
  spool: FileHandle
}

/** Brings a whole project, or nothing of it. Names the people of whom only the name comes. */
export async function importProject(deps: JobDeps, work: Work): Promise<Worked> {
  const ctx = await requesterCtx({ ...deps, db: forProject(deps.db, work.projectId) }, work)
  const stored: string[] = []
  const files = { scratch: await openNamelessFile(), spool: await openNamelessFile() }
  try {
    // Everything is checked, and all bytes are stored, before the transaction begins.
    const prepared = await prepareProject(ctx, work, files, stored)
    return await writeProject(ctx, work, files, prepared, stored.length)
  } catch (err) {
    // What is forgotten here because the process dies, the sweeper finds.
    await deps.store.remove(stored).catch(() => undefined)
    throw err
  } finally {
    await Promise.all([files.scratch.close(), files.spool.close()])
  }
}

interface Prepared {
  name: string
  settlement: Settlement
  batches: SpooledBatch[]
}

/** The keys of stored bytes are added to `stored` one by one, so that they can be removed whatever happens. */
async function prepareProject(ctx: Ctx, work: Work, { scratch, spool }: Files, stored: string[]): Promise<Prepared> {
  const { progress } = work
  const batches: SpooledBatch[] = []
  let head: Omit<Prepared, 'batches'>
  const input: Omit<ProjectInput, 'fd'> = { scratch: scratch.fd, spool: spool.fd }
  const storeFile = async (file: FoundFile) => {
    const key = newKey(ctx.store, file.place, work.projectId)
    stored.push(key)
    const written = await ctx.store.write(key, readOpenFile(scratch.fd))
    if (written.sha256 !== file.sha256) throw unusable(`"files/${file.sha256}" has another content than its name says.`)
    return key
  }
  const take = async (portion: ProjectPortion): Promise<unknown> => {
    if ('file' in portion) return storeFile(portion.file)
    if ('checked' in portion) progress.done += portion.checked
    if ('batch' in portion) batches.push(portion.batch)
    if (!('people' in portion)) return undefined
    const { name, rows, people, keys } = portion
    // Every row is read, and then written.
    progress.total = 2 * rows
    head = { name, settlement: await settlePeople(ctx.db, ctx.actor.organizationId, people, keys) }
    return [...head.settlement.ids]
  }
  await readUpload<ProjectPortion>(ctx, work.transfer.fileKey!, thread, input, async (portions) => {
    let next = await portions.next()
    while (!next.done) {
      work.check()
      next = await portions.next(await take(next.value))
    }
  })
  return { ...head!, batches }
}

function writeProject(
  ctx: Ctx,
  work: Work,
  { spool }: Files,
  { name, settlement, batches }: Prepared,
  files: number,
): Promise<Worked> {
  const { projectId, progress } = work
  const checked = progress.done
  const remarks = collectRemarks()
  for (const { name, email } of settlement.strangers)
    remarks.add('people.jsonl', `${quoted(name)} (${email}) is not in this organization, so only the name comes.`)
  return inTransaction(ctx, async (ctx) => {
    progress.done = checked
    progress.counts = { files, unknown_people: settlement.strangers.length }
    await lockProject(ctx.db, projectId)
    if (!(await isUntouched(ctx.db, projectId))) throw notEmpty()
    await insertPeople(ctx.db, projectId, settlement)
    for (const table of MOVED_TABLES.toReversed())
      if ((await countRows(ctx.db, projectId, table)) > 0) await deleteRows(ctx.db, projectId, table)
    const tables = new Map(MOVED_TABLES.map((table) => [table.name, table]))
    for (const batch of batches) {
      work.check()
      const text = await readBatch(spool, batch)
      await insertRows(ctx.db, projectId, tables.get(batch.table)!, text).catch((err) => {
        throw isRefusal(err) ? unusable(`${batch.where}: ${err.message}.`) : err
      })
      progress.done += batch.rows
      progress.counts[batch.table] = (progress.counts[batch.table] ?? 0) + batch.rows
    }
    for (const table of MOVED_TABLES)
      for (const { fault, broken } of table.rules ?? [])
        if (await hasFault(ctx.db, projectId, broken)) throw unusable(`"data/${table.name}.jsonl": ${fault}`)
    await recordEvent(ctx, transferEvents.imported(projectId, { name, counts: progress.counts }))
    progress.done = progress.total!
    const problems = remarks.list()
    if (!(await endTransfer(ctx.db, work, { state: 'done', progress, problems })))
      throw new Error('Another node took over.')
    return { problems, isEnded: true }
  })
}

async function readBatch(spool: FileHandle, { start, bytes }: SpooledBatch): Promise<string> {
  const text = Buffer.alloc(bytes)
  await spool.read(text, 0, bytes, start)
  return text.toString('utf8')
}

/** PostgreSQL refuses a value, or a row that contradicts another one. */
const isRefusal = (err: unknown): err is Error => /^(22|23)/.test(errorCode(err) ?? '')
