import { serveReader } from '../../../kernel/threads/reader-thread.ts'
import { readText } from './read-text.ts'

/** Runs in a thread; see `texts.ts`. */
serveReader(readText)
