/** The task exceeded its deadline. Its thread was terminated. */
export class ThreadDeadlineError extends Error {
  override readonly name = 'ThreadDeadlineError'
}

/** The thread ended during the task: out of memory, or a bug in the module. */
export class ThreadCrashError extends Error {
  override readonly name = 'ThreadCrashError'
}
