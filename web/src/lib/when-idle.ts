/** Runs something when the browser has nothing else to do, and at the latest after this time. */
export function whenIdle(run: () => void, withinMs: number): void {
  // Safari does not have it.
  if ('requestIdleCallback' in window) requestIdleCallback(run, { timeout: withinMs })
  else setTimeout(run)
}
