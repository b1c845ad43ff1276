import { expect, test, vi } from 'vitest'
import { fakeStorage } from '../storage.factory.ts'
import {
  closeTabs,
  define,
  listeners,
  openTab,
  outbox,
  problem,
  reloadTab,
  reported,
  states,
  type Text,
} from './tabs.factory.ts'
import type { Comparison } from './write.ts'

const throws = () => {
  throw new Error('A handler has a fault.')
}

test.each(['saved', 'show'] as const)(
  'a saved write counts as saved although its handler "%s" throws',
  async (name) => {
    const save = define({ [name]: throws })
    expect(await save('p', { text: 'a' })).toMatchObject({ state: 'saved' })
    expect(outbox.writes.get()).toEqual([])
    expect(reported.length).toBeGreaterThan(0)
  },
)

test.each(['saved', 'failure', 'hide', 'show'] as const)(
  'the next write is sent after the handler "%s" throws',
  async (name) => {
    const isRefused = name === 'failure' || name === 'hide'
    const first = define({ [name]: throws, ...(isRefused && { send: () => Promise.reject(problem(422)) }) })
    const sent = vi.fn(async () => undefined)
    const second = define({ send: sent })
    const outcomes = [first('p', { text: 'a' }), second('p', { text: 'b' })]
    expect(await Promise.all(outcomes)).toMatchObject([{ state: isRefused ? 'failed' : 'saved' }, { state: 'saved' }])
    expect(sent).toHaveBeenCalledOnce()
    expect(await second('p', { text: 'c' })).toMatchObject({ state: 'saved' })
  },
)

test('a listener that throws stops neither the outbox nor other listeners', async () => {
  outbox.writes.subscribe(throws)
  const heard = vi.fn()
  outbox.writes.subscribe(heard)
  const save = define({})
  expect(await save('p', { text: 'a' })).toMatchObject({ state: 'saved' })
  expect(await save('p', { text: 'b' })).toMatchObject({ state: 'saved' })
  expect(heard).toHaveBeenCalled()
})

test.each([
  [500, 'internal_error', true],
  [429, 'rate_limited', true],
  [409, 'idempotency_in_flight', true],
  [409, 'conflict', false],
  [422, 'invalid', false],
])('Retry after %s %s repeats the key: %s', async (status, code, isSame) => {
  const keys: string[] = []
  const save = define({
    async send(_, { key }) {
      keys.push(key)
      if (keys.length === 1) throw problem(status, code)
    },
  })
  const outcome = await save('p', { text: 'a' })
  expect(outcome.state).toBe('failed')
  if (outcome.state === 'failed') outbox.retryWrite(outcome.id)
  await vi.waitFor(() => expect(keys.length).toBe(2))
  expect(keys[0] === keys[1]).toBe(isSame)
})

test('a write that the browser has no room for stays in the tab, says so, warns before leaving, and is sent', async () => {
  vi.stubGlobal('localStorage', fakeStorage(100))
  let isAway = true
  const save = define({
    async send() {
      if (isAway) throw problem(0)
    },
  })
  const leave = () => {
    const preventDefault = vi.fn()
    listeners.get('beforeunload')?.({ preventDefault })
    return preventDefault.mock.calls.length > 0
  }
  expect(leave()).toBe(false)
  await save('p', { text: 'a'.repeat(200) })
  const { unkept } = await import('../unkept.ts')
  expect([...unkept.get()]).toEqual([outbox.writes.get()[0]!.id])
  expect(leave()).toBe(true)
  isAway = false
  outbox.tryNow()
  await vi.waitFor(() => expect(outbox.writes.get().length).toBe(0))
  expect(unkept.get().size).toBe(0)
  expect(leave()).toBe(false)
})

/** A text on a server that answers 412 when it is not what the write started from. */
function textOnServer(start: string) {
  const server = { text: start, version: 1 }
  const shown = { text: start, etag: '1' as string | undefined }
  const comparison: Comparison<Text> = {
    title: () => 'Description of WO-1',
    base: ({ base }) => base!,
    mine: ({ text }) => text,
    read: async () => ({ text: server.text, etag: String(server.version), by: 'Grace Hopper' }),
    rebased: (input, text, theirs) => ({ ...input, text, base: theirs.text, etag: theirs.etag! }),
    showTheirs: (_, theirs) => Object.assign(shown, { text: theirs.text, etag: theirs.etag }),
  }
  const save = define({
    async send({ text, etag }) {
      if (etag !== String(server.version)) throw problem(412)
      server.text = text
      server.version++
    },
    show: ({ text, etag }) => Object.assign(shown, { text, etag }),
    hide: ({ base, etag }) => Object.assign(shown, { text: base, etag }),
    comparison,
  })
  const others = (text: string) => {
    server.text = text
    server.version++
  }
  return { server, shown, others, save: (text: string) => save('p', { text, base: start, etag: '1' }) }
}

test('ticks of two neighbouring steps by two people are merged without a question', async () => {
  const { server, others, save } = textOnServer('- [ ] one\n- [ ] two\n- [ ] three')
  others('- [ ] one\n- [x] two\n- [ ] three')
  expect(await save('- [x] one\n- [ ] two\n- [ ] three')).toMatchObject({ state: 'saved' })
  expect(server.text).toBe('- [x] one\n- [x] two\n- [ ] three')
})

test('a text whose same line two people changed waits for a choice, and says who it was', async () => {
  const { server, others, save } = textOnServer('one\ntwo')
  others('One\ntwo')
  expect(await save('uno\ntwo')).toMatchObject({ state: 'conflict' })
  expect(outbox.writes.get()[0]).toMatchObject({ theirs: { text: 'One\ntwo', by: 'Grace Hopper' } })
  expect(server.text).toBe('One\ntwo')
})

test('Take theirs shows their text with its state, and can be taken back', async () => {
  const { shown, server, others, save } = textOnServer('one')
  others('theirs')
  await save('mine')
  const [write] = outbox.writes.get()
  outbox.takeTheirs(write!)
  expect(shown).toEqual({ text: 'theirs', etag: '2' })
  expect(outbox.writes.get()).toEqual([])
  outbox.resolveConflict(write!, 'mine after all')
  await vi.waitFor(() => expect(server.text).toBe('mine after all'))
})

test('a merge that is put off is kept on the device with its conflict', async () => {
  const { others, save } = textOnServer('one')
  others('theirs')
  await save('mine')
  outbox.keepMerge(outbox.writes.get()[0]!.id, 'mine and theirs')
  await reloadTab()
  expect(outbox.writes.get()).toMatchObject([{ state: 'conflict', merged: 'mine and theirs' }])
})

test('a discarded write can be brought back and is sent then', async () => {
  let isAway = true
  const sent = vi.fn()
  const save = define({
    async send({ text }) {
      if (isAway) throw problem(0)
      sent(text)
    },
  })
  await save('p', { text: 'a comment' })
  const [write] = outbox.writes.get()
  outbox.discardWrite(write!.id)
  expect(states()).toEqual([])
  isAway = false
  outbox.restoreWrite(write!)
  outbox.tryNow()
  await vi.waitFor(() => expect(sent.mock.calls.length).toBe(1))
  expect(sent).toHaveBeenCalledWith('a comment')
})

test('a write of an open tab is left to that tab, also where the browser has no locks', async () => {
  const save = define({ send: () => Promise.reject(problem(0)) })
  await save('p', { text: 'a' })
  const other = await openTab()
  expect(other.writes.get()).toEqual([])
})

/** Leaves a write of a kind behind, and closes its tab. */
async function leaveWrite(name: string): Promise<void> {
  await define({ name, send: () => Promise.reject(problem(0)) })('p', { text: name })
  closeTabs()
}

test('a write that waited through a reload is shown and sent once the code of its kind is loaded', async () => {
  await leaveWrite('berths.name')
  const shown: string[] = []
  const sent: string[] = []
  const other = await openTab((opened) =>
    opened.loadKindsBy(async (name) => {
      define(
        { name, show: ({ text }) => void shown.push(text), send: async ({ text }) => void sent.push(text) },
        opened,
      )
    }),
  )
  await vi.waitFor(() => expect(other.writes.get()).toEqual([]))
  expect(sent).toEqual(['berths.name'])
  expect(shown).toContain('berths.name')
})

test('code that cannot be loaded holds up only the writes that need it, and is asked for again', async () => {
  await leaveWrite('berths.name')
  const sent: string[] = []
  const send = async ({ text }: Text) => void sent.push(text)
  let isAway = true
  const other = await openTab((opened) =>
    opened.loadKindsBy(async (name) => {
      if (isAway) throw new TypeError('Failed to fetch dynamically imported module')
      define({ name, send }, opened)
    }),
  )
  await define({ send }, other)('p', { text: 'another' })
  expect(sent).toEqual(['another'])
  expect(other.writes.get().map(({ kind, state }) => [kind, state])).toEqual([['berths.name', 'waiting']])
  isAway = false
  other.tryNow()
  await vi.waitFor(() => expect(sent).toEqual(['another', 'berths.name']))
})

test('a conflict from before a reload can be compared once the code of its kind is loaded', async () => {
  const comparison: Comparison<Text> = {
    title: () => 'Name',
    base: () => 'one',
    mine: ({ text }) => text,
    read: async () => ({ text: 'theirs', etag: '"2"' }),
    rebased: (input, text) => ({ ...input, text }),
    showTheirs() {},
  }
  await define({ name: 'berths.text', comparison, send: () => Promise.reject(problem(412)) })('p', { text: 'mine' })
  expect(states()).toEqual(['conflict'])
  closeTabs()
  const other = await openTab((opened) => opened.loadKindsBy(async (name) => void define({ name, comparison }, opened)))
  await vi.waitFor(() => expect(other.comparisonOf(other.writes.get()[0]!)?.mine).toBe('mine'))
})
