import { serveReader } from '../../../kernel/threads/reader-thread.ts'
import { readFolder } from './read-folder.ts'

/** Runs in a thread; see `reading.ts`. */
serveReader(readFolder)
