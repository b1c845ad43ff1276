import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fakeStorage } from './storage.factory.ts'

let own: typeof import('./own-storage.ts')
let drafts: typeof import('./drafts.ts')

beforeEach(async () => {
  vi.stubGlobal('addEventListener', () => undefined)
  vi.stubGlobal('navigator', { locks: { request: async () => undefined } })
  vi.stubGlobal('localStorage', fakeStorage())
  vi.resetModules()
  own = await import('./own-storage.ts')
  drafts = await import('./drafts.ts')
  own.setStorageOwner('ada')
})
afterEach(() => vi.unstubAllGlobals())

test('a draft shows to the person who wrote it, and to nobody else who signs in', () => {
  drafts.keepDraft('wo-1-description', 'Half a thought')
  own.setStorageOwner('grace')
  expect(drafts.findDraft('wo-1-description')).toBeUndefined()
  expect(own.countDrafts()).toBe(0)
  drafts.keepDraft('wo-1-description', 'Of Grace')
  own.setStorageOwner('ada')
  expect(drafts.findDraft('wo-1-description')?.text).toBe('Half a thought')
})

test('what is forgotten at sign-out is all of one person, with unsent writes, and nothing of others', () => {
  const write = (id: string, userId: string) =>
    localStorage.setItem(`slipway-write-${id}`, JSON.stringify({ userId, tab: 't', write: { id, by: 'ada' } }))
  drafts.keepDraft('a', 'of Ada')
  own.rememberOwn('recent-p', '[]')
  localStorage.setItem('slipway-typed-ada-doc-1', 'x')
  write('1', 'ada')
  write('2', 'grace')
  own.setStorageOwner('grace')
  drafts.keepDraft('a', 'of Grace')
  own.setStorageOwner('ada')
  expect(own.countDrafts()).toBe(2)
  expect(own.unsentIds()).toEqual(['1'])
  own.forgetOwn()
  expect(Object.keys(localStorage).sort()).toEqual(['slipway-own-grace-draft-a', 'slipway-write-2'])
})

test('a draft that the browser has no room for stays in the tab, and leaving asks first', async () => {
  vi.stubGlobal('localStorage', fakeStorage(100))
  const { unkept } = await import('./unkept.ts')
  drafts.keepDraft('a', 'x'.repeat(200))
  expect(drafts.findDraft('a')?.text).toHaveLength(200)
  expect(unkept.get().size).toBe(1)
  drafts.dropDraft('a')
  expect(drafts.findDraft('a')).toBeUndefined()
  expect(unkept.get().size).toBe(0)
})
