import path from 'node:path'
import { forProject, inSnapshot } from '../../../kernel/database/index.ts'
import type { JobDeps } from '../../../kernel/slice.ts'
import { newKey } from '../../../kernel/storage/index.ts'
import { findProject } from '../../projects/index.ts'
import { STORE_PLACE } from '../transfer.ts'
import type { Work } from '../work.ts'
import { packArchive } from './archive.ts'
import { createSpool, spoolProject } from './spool.ts'

/** Writes the whole project into one file of the store. */
export async function exportProject({ store, ...deps }: JobDeps, { projectId, progress }: Work) {
  const db = forProject(deps.db, projectId)
  const project = await findProject(db, projectId)
  const spool = createSpool()
  try {
    const exportedAt = new Date().toISOString()
    await inSnapshot(db, (tx) =>
      spoolProject(tx, projectId, spool, (done, total) => Object.assign(progress, { done, total })),
    )
    for (const { path: name, rows } of spool.files) if (rows > 0) progress.counts[path.basename(name, '.jsonl')] = rows
    progress.counts.files = spool.stored.length
    const entries = spool.files.length + spool.documents.length + spool.stored.length + 1
    progress.total = progress.done + entries
    const archive = packArchive(store, { ...spool, projectName: project!.name, exportedAt }, () => progress.done++)
    const key = newKey(store, STORE_PLACE, projectId)
    return { file: { key, ...(await store.write(key, archive)) }, problems: [] }
  } finally {
    await Promise.all(spool.files.map(({ handle }) => handle.close()))
  }
}
