import { newId } from '../ids.ts'
import type { Write } from './write.ts'

const PREFIX = 'slipway-write-'
const LOCK = 'slipway-tab-'
const tab = newId()

interface Stored {
  userId: string
  /** The tab that sends it. */
  tab: string
  write: Write
}

const nameOf = (write: Write) => `${PREFIX}${String(write.at).padStart(15, '0')}-${write.id}`

/** Other tabs see by this lock that this one is still there. The browser frees it with the tab. */
const isHeld = new Promise<void>((resolve) => {
  if (!navigator.locks) return resolve()
  void navigator.locks.request(LOCK + tab, () => {
    resolve()
    return new Promise(() => {})
  })
})

/** A browser that forbids storage, or has no room left, keeps it only as long as the tab is open. */
export function storeWrite(userId: string, write: Write): void {
  try {
    localStorage.setItem(nameOf(write), JSON.stringify({ userId, tab, write } satisfies Stored))
  } catch {}
}

export function forgetWrite(write: Write): void {
  try {
    localStorage.removeItem(nameOf(write))
  } catch {}
}

/** Takes over the person's writes whose tab was closed or reloaded, the oldest first. */
export async function adoptWrites(userId: string): Promise<Write[]> {
  await isHeld
  const held = (await navigator.locks?.query())?.held ?? []
  const tabs = new Set(held.map(({ name }) => name?.slice(LOCK.length)))
  const adopted: Write[] = []
  for (const name of storedNames()) {
    try {
      const stored = JSON.parse(localStorage.getItem(name) ?? '') as Stored
      if (stored.userId !== userId || stored.tab === tab || tabs.has(stored.tab)) continue
      const write: Write = stored.write.state === 'sending' ? { ...stored.write, state: 'waiting' } : stored.write
      storeWrite(userId, write)
      adopted.push(write)
    } catch {
      // Another tab has just finished it, or it cannot be read.
    }
  }
  return adopted
}

function storedNames(): string[] {
  try {
    return Object.keys(localStorage)
      .filter((name) => name.startsWith(PREFIX))
      .sort()
  } catch {
    return []
  }
}
