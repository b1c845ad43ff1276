import { monitorEventLoopDelay } from 'node:perf_hooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cloneDatabase, eventually } from '../../../../test/harness.ts'
import { connect, inTransaction, type Sql } from '../../../kernel/database/index.ts'
import { uuidv7 } from '../../../kernel/uuid.ts'
import { addDocumentRows, addProjectRow, type Written } from './search.factory.ts'
import { type DocumentSearch, searchDocuments } from './search.ts'

let sql: Sql
beforeAll(async () => {
  sql = connect(await cloneDatabase(), { max: 6 })
})
afterAll(() => sql.end())

async function write(documents: Written[]) {
  const place = await addProjectRow(sql)
  const ids = await addDocumentRows(sql, place, documents)
  const search = (query: string, more: Partial<DocumentSearch> = {}) =>
    searchDocuments(sql, { projectId: place.projectId, kind: 'note', query, deadlineMs: 20_000, ...more })
  return { ...place, ids, search, titles: async (query: string) => (await search(query)).map((hit) => hit.title) }
}

describe('hits', () => {
  it('show every matching line with the lines around it', async () => {
    const { search, ids } = await write([{ title: 'Six', content: 'one\ntwo\nthree\nfour\nfive\nTWO\n' }])
    expect(await search('two')).toEqual([
      {
        id: ids[0],
        title: 'Six',
        treeName: 'Notes',
        matches: [
          { line_number: 2, line: 'two', before_context: ['one'], after_context: ['three', 'four'] },
          { line_number: 6, line: 'TWO', before_context: ['four', 'five'], after_context: [] },
        ],
      },
    ])
    expect((await search('two', { contextLines: 0, caseSensitive: true }))[0]!.matches).toEqual([
      { line_number: 2, line: 'two', before_context: [], after_context: [] },
    ])
    expect((await search('three', { contextLines: 10 }))[0]!.matches[0]!.after_context).toEqual(['four', 'five', 'TWO'])
  })

  it('keep the carriage return of a line that ends with CRLF', async () => {
    const { search } = await write([{ content: 'one\r\ntwo\r\n' }])
    expect((await search('one'))[0]!.matches[0]).toMatchObject({ line: 'one\r', after_context: ['two\r'] })
  })

  it('have no matches if only the title matches, even for an empty document', async () => {
    const { search, ids } = await write([{ title: 'Refunds', content: '' }])
    expect(await search('refund')).toEqual([{ id: ids[0], title: 'Refunds', treeName: 'Notes', matches: [] }])
    expect((await search('.*')).length).toBe(1)
  })

  it('are ordered by title match, then by last update, newest first, then by id', async () => {
    const at = (day: number) => `2026-03-0${day}T00:00:00Z`
    const { titles } = await write([
      { title: 'old body', content: 'needle', updatedAt: at(1) },
      { title: 'new body', content: 'a needle', updatedAt: at(5) },
      { title: 'old Needle', content: '', updatedAt: at(2) },
      { title: 'new needle', content: 'needle', updatedAt: at(3) },
      { title: 'same time, first id', content: 'needle', updatedAt: at(4) },
      { title: 'same time, next id', content: 'needle', updatedAt: at(4) },
      { title: 'needless', content: 'nothing', updatedAt: at(6) },
    ])
    const bodies = ['new body', 'same time, first id', 'same time, next id']
    expect(await titles('needle')).toEqual(['needless', 'new needle', 'old Needle', ...bodies, 'old body'])
    expect(await titles('\\bneedle\\b')).toEqual(['new needle', 'old Needle', ...bodies, 'old body'])
  })

  it('are limited after they are ordered', async () => {
    const { search } = await write(
      Array.from({ length: 120 }, (_, n) => ({
        title: n % 40 === 0 ? `word ${n}` : `${n}`,
        content: 'the word',
        updatedAt: new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString(),
      })),
    )
    const titles = async (limit: number) => (await search('word', { limit })).map((hit) => hit.title)
    expect(await titles(2)).toEqual(['word 80', 'word 40'])
    expect(await titles(5)).toEqual(['word 80', 'word 40', 'word 0', '119', '118'])
    expect((await titles(100)).length).toBe(100)
    expect((await search('word')).length).toBe(50)
  })

  it('never come from another project or another kind', async () => {
    const stranger = await write([{ title: 'secret', content: 'secret' }])
    const { titles, search } = await write([
      { title: 'mine', content: 'secret' },
      { title: 'secret too', content: 'secret', kind: 'other' },
    ])
    expect(await stranger.titles('secret')).toEqual(['secret'])
    expect(await titles('secret')).toEqual(['mine'])
    expect((await search('secret', { kind: 'other' })).map((hit) => hit.title)).toEqual(['secret too'])
    expect(await titles('.*')).toEqual(['mine'])
  })

  it('come from the committed state', async () => {
    const { titles, ids } = await write([
      { title: 'A', content: 'apricot' },
      { title: 'B', content: 'blackberry' },
    ])
    expect(await titles('blackberry')).toEqual(['B'])
    await sql`update documents set markdown_content = 'blackberry' where id = ${ids[0]!}`
    await sql`update documents set markdown_content = 'cloudberry' where id = ${ids[1]!}`
    expect(await titles('blackberry')).toEqual(['A'])
    expect(await titles('(?:cloud|black)berry')).toEqual(['A', 'B'])
    await sql`delete from documents where id = ${ids[0]!}`
    expect(await titles('(?:cloud|black)berry')).toEqual(['B'])
  })

  it('come from one committed state while documents are written, added and deleted', async () => {
    const { search, ids, projectId, treeId } = await write([
      { title: 'A', content: 'here' },
      { title: 'B', content: 'gone' },
    ])
    let isOver = false
    const writing = (async () => {
      for (let round = 0; !isOver; round++)
        await inTransaction({ db: sql }, async ({ db: tx }) => {
          const [here, gone] = round % 2 === 0 ? [ids[1]!, ids[0]!] : [ids[0]!, ids[1]!]
          await tx`update documents set markdown_content = 'gone' where id = ${gone}`
          await tx`update documents set markdown_content = 'here' where id = ${here}`
          await tx`delete from documents where project_id = ${projectId} and title = 'C'`
          const copied = uuidv7()
          await tx`insert into resources (project_id, id, resource_type) values (${projectId}, ${copied}, 'note')`
          await tx`insert into documents (project_id, id, kind, tree_id, position, title, markdown_content, version_id,
              version_number, created_at, updated_at)
            values (${projectId}, ${copied}, 'note', ${treeId}, 9, 'C', 'copy', ${uuidv7()}, 1, now(), now())`
        })
    })()
    await eventually(async () => (await search('copy')).length === 1)
    for (let time = 0; time < 30; time++) {
      const found = await search('here|copy')
      expect(found.map(({ matches }) => matches[0]!.line).sort()).toEqual(['copy', 'here'])
      expect(found.map(({ treeName }) => treeName)).toEqual(['Notes', 'Notes'])
    }
    isOver = true
    await writing
  })

  it.each([
    ['many groups', `${'('.repeat(200)}a${')'.repeat(200)}`],
    ['stars in stars', `${'(?:'.repeat(60)}a${'*)*'.repeat(60)}a`],
    ['many stars', '.*'.repeat(300)],
    ['many options', '(?:a|b?|c+)'.repeat(80)],
    ['many repetitions', 'a?{1,200}'.repeat(12)],
    ['many classes', '[^a]*[a-z]*'.repeat(80)],
    ['many words', '(?:\\w+\\s*)*'.repeat(12)],
    ['many branches', Array.from({ length: 200 }, (_, n) => `a${n}?`).join('|')],
  ])('are found with %s in the pattern', async (_, query) => {
    const { search } = await write([{ title: 'a', content: 'a' }])
    expect(await search(query)).toMatchObject([{ title: 'a', matches: [{ line: 'a' }] }])
  })
})

describe('a pattern that is refused', () => {
  const refusal = async (query: string) => {
    const { search } = await write([])
    return search(query).then(
      () => undefined,
      (err) => err,
    )
  }

  it.each([
    ['a(?=b)', 'look-around', { from: 2, to: 4 }],
    ['é(?<!b)', 'look-around', { from: 2, to: 5 }],
    ['(a)\\1', 'backreferences are not supported', { from: 4, to: 5 }],
    ['(ab', 'unclosed group', { from: 1, to: 1 }],
    ['a)', 'unopened group', { from: 2, to: 2 }],
    ['[z-a]', 'invalid character class range', { from: 2, to: 4 }],
    ['*', 'missing expression', { from: 1, to: 1 }],
    ['\\p{Foo}', 'Unicode property not found', { from: 1, to: 7 }],
  ])('%s is a 400 with the reason and the position', async (query, reason, position) => {
    const err = await refusal(query)
    expect(err).toMatchObject({ status: 400, code: 'invalid_regex', extra: { position } })
    expect(err.extra.reason).toContain(reason)
    expect(err.message).toContain(err.extra.reason)
    expect(err.message).toContain(`At character ${position.from}`)
  })

  it.each(['(\\w{1000}){1000}', '((a{100}){100}){100}', '(((((((a{9}){9}){9}){9}){9}){9}){9})'])(
    '%s is a 400, because it is too large',
    async (query) => {
      expect(await refusal(query)).toMatchObject({ status: 400, code: 'invalid_regex' })
      expect((await refusal(query)).message).toContain('too large')
    },
  )

  it('and contains a line feed is a 400 that says that lines have none', async () => {
    expect((await refusal('a\\nb')).message).toContain('line feed')
  })
})

describe('a search that takes too long', () => {
  /** Random text, in which a regular expression engine needs many states. */
  const noise = (seed: number) =>
    Array.from({ length: 60 }, (_, line) =>
      Array.from({ length: 1000 }, (_, at) =>
        (Math.imul((seed * 60 + line) * 1000 + at, 0x9e3779b1) >>> 13) & 1 ? 'a' : 'b',
      ).join(''),
    ).join('\n')
  const documents = Array.from({ length: 100 }, (_, seed) => ({ content: noise(seed) }))
  const attacks = ['(a.{0,100}){5}c']

  it.each(attacks)('is a 503 at its deadline, and the next search works: %s', async (attack) => {
    const { search } = await write(documents)
    const started = performance.now()
    const err = await search(attack, { deadlineMs: 300 }).catch((err) => err)
    expect(performance.now() - started).toBeLessThan(5_000)
    expect(err).toMatchObject({ status: 503, code: 'search_timeout' })
    expect(err.message).toContain('took longer than 0.3 s')
    expect((await search('a', { limit: 1, contextLines: 0 })).length).toBe(1)
  })

  it('blocks neither the main thread nor searches of another project', async () => {
    const slow = await write(documents)
    const quick = await write([{ title: 'quick' }])
    await quick.titles('quick')
    const delay = monitorEventLoopDelay({ resolution: 5 })
    delay.enable()
    const attacking = attacks.map((query) => slow.search(query, { deadlineMs: 800 }).catch((err) => err.code))
    expect(await quick.titles('quick')).toEqual(['quick'])
    await Promise.all(attacking)
    delay.disable()
    expect(delay.percentile(90) / 1e6).toBeLessThan(100)
  })

  it('pauses its project and no other', async () => {
    const { search } = await write(documents)
    const other = await write([{ title: 'other' }])
    expect((await search('a', { limit: 1, contextLines: 0 })).length).toBe(1)
    await expect(search(attacks[0]!, { deadlineMs: 3_000 })).rejects.toMatchObject({ code: 'search_timeout' })
    const paused = await search('a', { limit: 1 }).catch((err) => err)
    expect(paused).toMatchObject({ status: 503, code: 'search_timeout' })
    expect(Number(paused.headers['retry-after'])).toBeGreaterThan(4)
    expect(Number(paused.headers['retry-after'])).toBeLessThanOrEqual(30)
    expect(await other.titles('other')).toEqual(['other'])
  })

  it('is refused if its answer is too large', async () => {
    const { search } = await write(Array.from({ length: 5 }, () => ({ content: 'x\n'.repeat(200_000) })))
    await expect(search('.*', { contextLines: 10 })).rejects.toMatchObject({ status: 400, code: 'answer_too_large' })
  })
})
