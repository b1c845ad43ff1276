/** The time that the caller gave has passed. The thread that was busy with it is gone. */
export class ThreadDeadlineError extends Error {
  override readonly name = 'ThreadDeadlineError'
}

/** The thread ended during the task: out of memory, or a defect in the module. */
export class ThreadCrashError extends Error {
  override readonly name = 'ThreadCrashError'
}
