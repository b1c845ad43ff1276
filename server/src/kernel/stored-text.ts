import { AppError } from './errors.ts'

/** A text of a project, for what goes over all of them. */
export interface StoredText {
  kind: string
  id: string
  /** The title of what it belongs to. */
  title: string
  text: string
  /** Writes another text in its place, in a transaction. Returns false if somebody has changed or deleted it since. */
  replace(text: string): Promise<boolean>
}

/** Runs a write that is refused if its `If-Match` is outdated. */
export async function unlessStale(write: () => Promise<unknown>): Promise<boolean> {
  try {
    await write()
    return true
  } catch (err) {
    if (err instanceof AppError && (err.status === 412 || err.status === 404)) return false
    throw err
  }
}
