import { expect, test } from 'vitest'
import { authorsOf } from './authors.ts'
import type { HistoryEntry } from './entry.ts'

type Actor = HistoryEntry['actor']

const person = (name: string): Actor => ({ type: 'person', id: name, name, on_behalf_of: null })
const ADA = person('Ada')
const agent: Actor = { type: 'agent', id: null, name: 'Agent', on_behalf_of: { id: 'Ada', name: 'Ada' } }
const key: Actor = { ...agent, type: 'key', name: 'shop-ci' }

const written = (authors: Actor[], more: Partial<HistoryEntry> = {}) =>
  authorsOf(
    {
      actor: authors[0]!,
      authors,
      origin_type: 'user',
      version_number: 2,
      restored_version_number: null,
      ...more,
    } as HistoryEntry,
    new Set(),
  )

test('all authors of a version are named, and many are counted', () => {
  expect(written([ADA])).toBe('Ada')
  expect(written([ADA, person('Grace')])).toBe('Ada and Grace')
  expect(written([ADA, agent, person('Grace')])).toBe('Ada, Agent for Ada and Grace')
  expect(written([ADA, person('Grace'), person('Lin'), person('Mary')])).toBe('Ada, Grace and 2 more')
})

test('a key is named with its owner, and a restored version with its number', () => {
  expect(written([key])).toBe('Key shop-ci of Ada')
  expect(written([key, person('Grace')], { origin_type: 'mcp' })).toBe('shop-ci over MCP, for Ada and Grace')
  expect(written([ADA], { restored_version_number: 1 })).toBe('Ada restored version 1')
})
