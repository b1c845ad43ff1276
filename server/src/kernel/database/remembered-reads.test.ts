import { describe, expect, it } from 'vitest'
import type { Db } from './index.ts'
import { rememberReads } from './remembered-reads.ts'

/** Things with a text each, whose state is counted up, and a count of what was read of them. */
const fakeDb = () => ({ runner: { root: {} } }) as Db

function setUp() {
  const things = new Map<string, { state: number; text: string }>()
  const read = { states: 0, things: 0 }
  const existing = (ids: string[]) =>
    ids.flatMap((id) => {
      const thing = things.get(id)
      return thing ? [{ id, state: String(thing.state), body: thing.text, etag: `"${thing.text.length}"` }] : []
    })
  const { readOne, readMany } = rememberReads({
    async readStates(_db, _projectId, ids) {
      read.states += ids.length
      return existing(ids)
    },
    async readStated(_db, _projectId, ids) {
      const found = existing(ids)
      read.things += found.length
      return found
    },
  })
  const put = (id: string, text: string) => things.set(id, { state: (things.get(id)?.state ?? 0) + 1, text })
  const db = fakeDb()
  return {
    put,
    things,
    read,
    one: async (id: string, where = db) => (await readOne(where, 'p', id))?.body,
    many: async (...ids: string[]) =>
      Object.fromEntries([...(await readMany(db, 'p', ids))].map(([id, { body }]) => [id, body])),
    tagOf: async (id: string) => (await readOne(db, 'p', id))?.etag,
  }
}

describe('what was read before', () => {
  it('is not read again until its state changes', async () => {
    const { put, read, one, many, tagOf } = setUp()
    put('a', 'Grüße, 世界 🌍')
    for (let times = 0; times < 3; times++) expect(await one('a')).toBe('Grüße, 世界 🌍')
    expect(await tagOf('a')).toBe('"12"')
    expect(read).toEqual({ states: 3, things: 1 })
    put('a', 'new')
    expect(await one('a')).toBe('new')
    expect(await many('a')).toEqual({ a: 'new' })
    expect(read).toEqual({ states: 5, things: 2 })
  })

  it('is gone when it is gone', async () => {
    const { put, things, one, many } = setUp()
    put('a', 'old')
    await one('a')
    things.delete('a')
    expect(await one('a')).toBeUndefined()
    expect(await many('a')).toEqual({})
    things.set('a', { state: 7, text: 'another' })
    expect(await one('a')).toBe('another')
  })

  it('goes together with what is new, what changed and what does not exist', async () => {
    const { put, read, many } = setUp()
    for (const id of ['same', 'changed']) put(id, `${id} 1`)
    await many('same', 'changed')
    put('changed', 'changed 2')
    put('new', 'new 1')
    const found = await many('same', 'changed', 'new', 'missing')
    expect(found).toEqual({ same: 'same 1', changed: 'changed 2', new: 'new 1' })
    expect(read).toEqual({ states: 2, things: 4 })
  })

  it('is remembered for each database by itself', async () => {
    const { put, read, one } = setUp()
    put('a', 'one')
    await one('a')
    await one('a', fakeDb())
    expect(read).toEqual({ states: 0, things: 2 })
  })

  it('is forgotten when too much else was read since, but not while it is asked for', async () => {
    const { put, read, one } = setUp()
    const ids = Array.from({ length: 400 }, (_, index) => `id ${index}`)
    for (const [index, id] of ['used', ...ids].entries()) put(id, String(index).padEnd(199_000))
    for (const [index, id] of ids.entries()) {
      expect(await one('used')).toMatch(/^0 /)
      expect((await one(id))?.trim()).toBe(String(index + 1))
    }
    expect(read.things).toBe(401)
    for (const id of ids.slice(-50)) await one(id)
    expect(read.things).toBe(401)
    expect((await one(ids[0]!))?.trim()).toBe('1')
    expect(read.things).toBe(402)
  })

  it('is not remembered at all when it is very large', async () => {
    const { put, read, one } = setUp()
    put('a', 'x'.repeat(200_001))
    for (let times = 0; times < 3; times++) await one('a')
    expect(read).toEqual({ states: 0, things: 3 })
  })
})
