import { serveReader } from '../../../kernel/threads/reader-thread.ts'
import { readRows } from './read-rows.ts'

/** Runs in a thread; see `reading.ts`. */
serveReader(readRows)
