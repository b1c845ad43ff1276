import { serveReader } from '../../../kernel/threads/reader-thread.ts'
import { readProject } from './read-project.ts'

/** Runs in a thread; see `reading.ts`. */
serveReader(readProject)
