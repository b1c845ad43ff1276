import type { Db } from '../../kernel/database/index.ts'
import { enqueue } from '../../kernel/jobs/jobs.ts'

const KEYS_IN_A_JOB = 500

/** Removes bytes after the commit, at least once, when nothing refers to them any more. */
export async function enqueueRemoval(db: Db, keys: string[]): Promise<void> {
  const jobs: { keys: string[] }[] = []
  for (let from = 0; from < keys.length; from += KEYS_IN_A_JOB)
    jobs.push({ keys: keys.slice(from, from + KEYS_IN_A_JOB) })
  if (jobs.length > 0) await enqueue(db, 'remove_bytes', jobs)
}
