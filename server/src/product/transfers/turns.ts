import { unavailable } from '../../kernel/errors.ts'

const MOST_AT_ONCE = 2
const WAIT_MS = 30_000

interface Waiting {
  projectId: string
  begin(): void
}

const running = new Set<string>()
const waiting: Waiting[] = []

/** Lets one preview of a project run at a time, and few of all projects, in the order in which they came. */
export async function inTurn<T>(projectId: string, run: () => Promise<T>): Promise<T> {
  await turnOf(projectId)
  try {
    return await run()
  } finally {
    running.delete(projectId)
    beginNext()
  }
}

function turnOf(projectId: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const one = {
      projectId,
      begin() {
        clearTimeout(timer)
        resolve()
      },
    }
    const timer = setTimeout(() => {
      waiting.splice(waiting.indexOf(one), 1)
      reject(unavailable('busy', 'Other previews are being made. Try again when they are over.', 10))
    }, WAIT_MS)
    waiting.push(one)
    beginNext()
  })
}

function beginNext(): void {
  for (const one of [...waiting]) {
    if (running.size >= MOST_AT_ONCE) return
    if (running.has(one.projectId)) continue
    waiting.splice(waiting.indexOf(one), 1)
    running.add(one.projectId)
    one.begin()
  }
}
