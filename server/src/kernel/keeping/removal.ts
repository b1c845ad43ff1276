import { setTimeout as delay } from 'node:timers/promises'
import { type Db, query } from '../database/index.ts'
import { inOrder, readCatalog } from './catalog.ts'

/** Few enough that a statement ends long before its time limit, and that nobody waits for the disk. */
const ROWS_AT_A_TIME = 500

/**
 * Deletes all rows of a project in many short statements, so that other projects hardly notice: one transaction would hold
 * back the cleaning of the whole database for minutes. What refers to something goes before it. Names of tables come from
 * PostgreSQL's own catalog. `working` is called between the statements, and ends the work by throwing.
 */
export async function removeRows(db: Db, projectId: string, working: () => Promise<void>): Promise<void> {
  const { columns, references } = await readCatalog(db)
  const tables = [...columns].flatMap(([table, names]) => (names.includes('project_id') ? [table] : []))
  for (const table of inOrder(tables, references).reverse()) {
    for (let left = ROWS_AT_A_TIME; left === ROWS_AT_A_TIME; ) {
      const startedAtMs = performance.now()
      const gone = await query(
        db,
        `delete from ${table} where ctid = any(array(
          select ctid from ${table} where project_id = $1 limit ${ROWS_AT_A_TIME})) returning 1`,
        [projectId],
      )
      left = gone.length
      await working()
      // Rests as long as it worked.
      if (left === ROWS_AT_A_TIME) await delay(performance.now() - startedAtMs)
    }
  }
}
