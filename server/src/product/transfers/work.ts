import type { Held, Progress } from './queries.ts'
import type { Problem, Transfer } from './transfer.ts'

/** A transfer that this node works on. */
export interface Work extends Held {
  transfer: Transfer
  /** What is changed here is written down every second. */
  progress: Progress
  /** Throws if somebody else has taken it over, or the server stops. */
  check(): void
}

export interface Worked {
  problems: Problem[]
  file?: { key: string; size: number; sha256: string }
  /** The end was written down in the transaction of the work. */
  isEnded?: boolean
}
