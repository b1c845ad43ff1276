import { AppError } from '../errors.ts'

const ADVICE = 'Send less at once, or split the document.'

/** Whatever a thread was asked for is answered with a 503: the next attempt may find more time or memory. */
class ThreadFailure extends AppError {
  constructor(reason: string) {
    super(503, 'timeout', reason, { headers: { 'retry-after': '30' } })
  }
}

/** The task exceeded its deadline. Its thread was terminated. */
export class ThreadDeadlineError extends ThreadFailure {
  override readonly name = 'ThreadDeadlineError'
  constructor(deadlineMs: number) {
    super(`This took longer than ${deadlineMs / 1000} s and was stopped; nothing was changed. ${ADVICE}`)
  }
}

/** The thread ended during the task: out of memory, or a bug in the module. */
export class ThreadCrashError extends ThreadFailure {
  override readonly name = 'ThreadCrashError'
  constructor(reason: string) {
    super(`The thread that worked on this ended (${reason}); nothing was changed. ${ADVICE}`)
  }
}
