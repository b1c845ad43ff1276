import { afterEach, beforeEach, vi } from 'vitest'
import { fakeStorage } from '../storage.factory.ts'
import type { WriteKind } from './write.ts'

/* A browser with tabs, each with an outbox. Importing it gives every test a new browser with one tab. */

type Outbox = typeof import('./index.ts')
export interface Text {
  text: string
  base?: string
  etag?: string
}

let channels: BroadcastChannel[] = []
let timers: ReturnType<typeof setTimeout>[] = []
const startTimer = setTimeout
class Channel extends BroadcastChannel {
  constructor(name: string) {
    super(name)
    channels.push(this)
  }
}
/** Closes what the tabs so far had open, as a browser does with a tab. */
export function closeTabs(): void {
  for (const one of channels) one.close()
  channels = []
  for (const one of timers) clearTimeout(one)
  timers = []
}

export let reported: unknown[]
export let listeners: Map<string, (event: unknown) => void>
export let outbox: Outbox
export let connection: typeof import('../connection.ts')['connection']
export let toasts: typeof import('../toasts.ts')['toasts']
let SlipwayError: typeof import('../client.ts')['SlipwayError']

/** A tab of the same browser. */
export async function openTab(prepare: (opened: Outbox) => void = () => {}): Promise<Outbox> {
  vi.resetModules()
  SlipwayError = (await import('../client.ts')).SlipwayError
  connection = (await import('../connection.ts')).connection
  toasts = (await import('../toasts.ts')).toasts
  const opened = await import('./index.ts')
  prepare(opened)
  await opened.startOutbox('ada')
  return opened
}

export async function reloadTab(): Promise<void> {
  closeTabs()
  outbox = await openTab()
}

beforeEach(async () => {
  reported = []
  listeners = new Map()
  vi.stubGlobal('reportError', (err: unknown) => reported.push(err))
  vi.stubGlobal('addEventListener', (name: string, run: (event: unknown) => void) => listeners.set(name, run))
  vi.stubGlobal('BroadcastChannel', Channel)
  vi.stubGlobal('setTimeout', (run: () => void, ms?: number) => {
    const timer = startTimer(run, ms)
    timers.push(timer)
    return timer
  })
  vi.stubGlobal('navigator', { onLine: true })
  vi.stubGlobal('location', { origin: 'http://slipway.test', pathname: '/', search: '', assign() {} })
  vi.stubGlobal('localStorage', fakeStorage())
  outbox = await openTab()
})
afterEach(() => {
  closeTabs()
  vi.unstubAllGlobals()
})

let kinds = 0
export const define = (kind: Partial<WriteKind<Text, unknown>>, within = outbox) =>
  within.defineWrite<Text, unknown>({
    name: `kind-${++kinds}`,
    waits: true,
    about: ({ text }) => ({ text, subjects: ['wo-1'], part: 'text' }),
    words: ({ text }) => [text],
    send: async () => undefined,
    ...kind,
  })
export const problem = (status: number, code = 'any') => new SlipwayError({ status, code, detail: `Status ${status}.` })
export const states = () => outbox.writes.get().map(({ state }) => state)
