import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import * as Y from 'yjs'

const items = new Map<string, string>()
beforeEach(() => {
  items.clear()
  const storage = {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, text: string) => void items.set(name, text),
    removeItem: (name: string) => void items.delete(name),
  }
  // Browsers list what is stored as the keys of the object.
  const listed = new Proxy(storage, {
    ownKeys: () => [...items.keys()],
    getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true, value: '' }),
  })
  vi.stubGlobal('localStorage', listed)
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

/** A tab with a document of its own, which knows what the server had. */
async function openTab(server: Y.Doc) {
  vi.resetModules()
  const { keptTyping } = await import('./kept-typing.ts')
  const shared = new Y.Doc()
  Y.applyUpdate(shared, Y.encodeStateAsUpdate(server))
  const kept = keptTyping('ada', 'requirements_document/1')
  kept.restore(shared)
  const text = () => shared.getText('t').toString()
  return { shared, kept, text, type: (words: string) => shared.getText('t').insert(shared.getText('t').length, words) }
}

test('a tab that has sent everything leaves what another tab has kept', async () => {
  const server = new Y.Doc()
  const [one, two] = [await openTab(server), await openTab(server)]
  two.type('two')
  expect(two.kept.keep(two.shared)).toBe(true)
  one.kept.forget(one.shared)
  expect((await openTab(server)).text()).toBe('two')
})

test('what a tab took over is forgotten once it is sent, but not what was kept after that', async () => {
  const server = new Y.Doc()
  const two = await openTab(server)
  two.type('two')
  two.kept.keep(two.shared)
  const later = await openTab(server)
  expect(later.text()).toBe('two')
  two.type(' more')
  two.kept.keep(two.shared)
  later.kept.forget(later.shared)
  const last = await openTab(server)
  expect(last.text()).toBe('two more')
  last.kept.forget(last.shared)
  expect(items.size).toBe(0)
})
