interface Waiting {
  dueAt: number
  timer: ReturnType<typeof setTimeout>
}
const waiting = new Map<string, Waiting>()

/** Runs once for all calls with the same name within a time. A call that is due earlier comes before one that waits. */
export function soon(name: string, afterMs: number, run: () => unknown): void {
  const dueAt = Date.now() + afterMs
  const before = waiting.get(name)
  if (before && before.dueAt <= dueAt) return
  clearTimeout(before?.timer)
  const timer = setTimeout(() => {
    waiting.delete(name)
    run()
  }, afterMs)
  waiting.set(name, { dueAt, timer })
}
