import { forProject } from '../../../kernel/database/index.ts'
import { removeRows } from '../../../kernel/keeping/removal.ts'
import type { JobDeps } from '../../../kernel/slice.ts'
import { removeBytesOf } from '../../../kernel/storage/index.ts'
import * as queries from './deletion-queries.ts'

export const REMOVE_DELETED = 'remove_deleted_projects'
/** A node that dies leaves the rest to another one after this. */
const LEASE_MS = 120_000
const RENEW_EVERY_MS = 20_000

/**
 * Removes the rows and then the files of deleted projects. The row of the project goes last: as long as it is there, there
 * may be something left to remove, and whoever finds it goes on.
 */
export async function removeDeletedProjects(_payload: unknown, { db, wiring, store, log }: JobDeps): Promise<void> {
  for (let next = await queries.leaseDeleted(db, LEASE_MS); next; next = await queries.leaseDeleted(db, LEASE_MS)) {
    const { id } = next
    let renewedAtMs = performance.now()
    const working = async () => {
      if (performance.now() - renewedAtMs < RENEW_EVERY_MS) return
      renewedAtMs = performance.now()
      await queries.renewLease(db, id, LEASE_MS)
    }
    const inProject = forProject(db, id)
    await removeRows(inProject, id, working)
    for (const place of wiring.storePlaces) {
      await removeBytesOf(store, place, id)
      await working()
    }
    await queries.deleteProjectRow(inProject, id)
    log.info({ project_id: id }, 'everything of a deleted project is removed')
  }
}
