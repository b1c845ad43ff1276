import { newId } from '../ids.ts'
import { noteKept } from '../unkept.ts'
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

/** Browsers have locks only on HTTPS and localhost. Elsewhere, the open tabs are asked for their names. */
const tabs = navigator.locks ? undefined : new BroadcastChannel('slipway-tabs')
const ANSWERED_WITHIN_MS = 300
tabs?.addEventListener('message', ({ data }) => {
  if (data === 'who is there?') tabs.postMessage({ tab })
})

/** Other tabs see by this lock that this one is still there. The browser frees it with the tab. */
const isHeld = new Promise<void>((resolve) => {
  if (!navigator.locks) return resolve()
  void navigator.locks.request(LOCK + tab, () => {
    resolve()
    return new Promise(() => {})
  })
})

async function openTabs(): Promise<Set<string>> {
  if (!tabs) {
    await isHeld
    const { held = [] } = await navigator.locks.query()
    return new Set(held.map(({ name }) => name!.slice(LOCK.length)))
  }
  const answered = new Set<string>()
  const note = ({ data }: MessageEvent) => data.tab && answered.add(data.tab)
  tabs.addEventListener('message', note)
  tabs.postMessage('who is there?')
  await new Promise((resolve) => setTimeout(resolve, ANSWERED_WITHIN_MS))
  tabs.removeEventListener('message', note)
  return answered
}

/** A browser that forbids storage, or has no room left, keeps it only as long as the tab is open. */
export function storeWrite(userId: string, write: Write): void {
  try {
    localStorage.setItem(nameOf(write), JSON.stringify({ userId, tab, write } satisfies Stored))
    noteKept(write.id, true)
  } catch {
    noteKept(write.id, false)
  }
}

export function forgetWrite(write: Write): void {
  noteKept(write.id, true)
  try {
    localStorage.removeItem(nameOf(write))
  } catch {}
}

/** Takes over the person's writes whose tab was closed or reloaded, the oldest first. */
export async function adoptWrites(userId: string): Promise<Write[]> {
  // Most pages begin with nothing to take over.
  if (storedNames().length === 0) return []
  const others = await openTabs()
  const adopted: Write[] = []
  for (const name of storedNames()) {
    const stored = read(name)
    if (stored?.userId !== userId || stored.tab === tab || others.has(stored.tab)) continue
    const { state } = stored.write
    const write: Write = { ...stored.write, waits: true, state: state === 'sending' ? 'waiting' : state }
    storeWrite(userId, write)
    adopted.push(write)
  }
  return adopted
}

/** What a person has not saved in any tab, by id. */
export const storedIdsOf = (userId: string): string[] =>
  storedNames().flatMap((name) => {
    const stored = read(name)
    return stored?.userId === userId ? [stored.write.id] : []
  })

/** Removes what a person left, also what was never sent. */
export function forgetWritesOf(userId: string): void {
  for (const name of storedNames()) if (read(name)?.userId === userId) localStorage.removeItem(name)
}

function read(name: string): Stored | undefined {
  try {
    return JSON.parse(localStorage.getItem(name) ?? '') as Stored
  } catch {
    // Another tab has just finished it, or it cannot be read.
    return undefined
  }
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
