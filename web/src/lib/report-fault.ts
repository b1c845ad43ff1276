/** Runs it. A fault in it is reported as any other of the page, and the caller goes on. */
export function reportFault(run: () => void): void {
  try {
    run()
  } catch (err) {
    reportError(err)
  }
}
