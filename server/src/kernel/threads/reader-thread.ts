import { parentPort, workerData } from 'node:worker_threads'
import { exchangeCalls } from './calls.ts'
import { lowerPriority } from './priority.ts'

/** What the thread of a reader offers, and what it may call. */
export type Portions<T> = { next(answer: unknown): Promise<IteratorResult<T, undefined>> }
export type Listener = { note(where: string): void }

export type Note = (where: string) => void

/**
 * Runs in the thread of a reader; see `reader.ts`. `note` says what is read next, so that the main thread can name it
 * if it has to end the thread.
 */
export function serveReader<I, T, A = unknown>(read: (input: I, note: Note) => AsyncGenerator<T, void, A>): void {
  lowerPriority()
  exchangeCalls<Listener, Portions<T>>(parentPort!, (listener) => {
    const portions = read(workerData as I, (where) => listener.tell('note', where))
    return { next: (answer) => portions.next(answer as A) as ReturnType<Portions<T>['next']> }
  })
}
