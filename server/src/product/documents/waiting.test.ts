import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Answer, type Member, openWorkspace, type Workspace } from '../../../test/harness.ts'
import { connect, type Sql } from '../../kernel/database/index.ts'
import { addBlueprint } from '../live-texts/live.factory.ts'
import { times } from './document.factory.ts'

let ws: Workspace
let pool: Sql
let busy: Member
let other: Member
/** Both members use a node with two connections. */
const api = (member: Member) => ws.client(member.key, node)
let node: Awaited<ReturnType<Workspace['node']>>

beforeAll(async () => {
  ws = await openWorkspace()
  pool = connect(ws.where, { max: 2 })
  node = await ws.node({ sql: pool })
  busy = (await ws.project()).admin
  other = (await ws.project()).admin
})
afterAll(async () => {
  await ws.close()
  await pool.end()
})

const LINE = 'A *line* of the document, with `code` and [a link](https://example.org/).\n\n'
const large = (first: string) => `${first}\n\n${LINE.repeat(Math.floor(1_900_000 / LINE.length))}`

/** Counts the requests that were answered. */
function watch(answers: Promise<Answer>[]) {
  const seen = { count: 0 }
  for (const answer of answers) void answer.then(() => seen.count++)
  return seen
}

test('other requests do not wait for a connection while large documents are processed', async () => {
  const ids = await Promise.all(times(4, (n) => addBlueprint(busy, large(`first ${n}`))))
  const keyed = await addBlueprint(busy, large('first'))
  const suggestions = ids.map((id, n) =>
    api(busy).post(`/blueprints/${id}/apply_suggestion`, { old_text: `first ${n}`, new_text: 'last' }),
  )
  suggestions.push(
    api(busy).post(
      `/blueprints/${keyed}/apply_suggestion`,
      { old_text: 'first', new_text: 'last' },
      { 'idempotency-key': randomUUID() },
    ),
  )
  const answered = watch(suggestions)
  const read = await api(other).get('/blueprints')
  const made = await api(other).post('/blueprints', { title: 'Other', markdown_content: 'small\n' })
  const suggested = await api(other).post(`/blueprints/${made.body.data.id}/apply_suggestion`, {
    old_text: 'small',
    new_text: 'tiny',
  })
  expect([read.status, made.status, suggested.status]).toEqual([200, 201, 200])
  expect(answered.count).toBeLessThan(suggestions.length)
  for (const answer of await Promise.all(suggestions)) expect(answer).toMatchObject({ status: 200 })
}, 120_000)

test('concurrent suggestions for one large document are all applied, each once', async () => {
  const words = times(5, (n) => `word${n}`)
  const id = await addBlueprint(busy, large(words.join(' ')))
  const answers = await Promise.all(
    words.map((word) =>
      api(busy).post(`/blueprints/${id}/apply_suggestion`, { old_text: word, new_text: word.toUpperCase() }),
    ),
  )
  expect(answers.map((answer) => answer.status)).toEqual(words.map(() => 200))
  const { body } = await busy.api.get(`/blueprints/${id}/suggestions`)
  const ids = body.items.map((item: { id: string }) => item.id)
  expect(ids.toSorted()).toEqual(answers.flatMap((answer) => answer.body.data.change_ids).toSorted())
  expect(body.items.map((item: { text: string }) => item.text)).toEqual(
    words.flatMap((word) => [word, word.toUpperCase()]),
  )
}, 120_000)

test('a suggestion for a large document that is repeated with its Idempotency-Key is applied once', async () => {
  const id = await addBlueprint(busy, large('first'))
  const suggest = () =>
    api(busy).post(
      `/blueprints/${id}/apply_suggestion`,
      { old_text: 'first', new_text: 'last' },
      { 'idempotency-key': 'once' },
    )
  const first = await suggest()
  const second = await suggest()
  expect(first.status).toBe(200)
  expect(second.body).toEqual(first.body)
  expect(second.headers['idempotency-replayed']).toBe('true')
  expect((await busy.api.get(`/blueprints/${id}/suggestions`)).body.items).toHaveLength(2)
}, 120_000)

test('a search with an Idempotency-Key runs outside of a transaction, and runs again when it is repeated', async () => {
  const id = await addBlueprint(busy, 'needle one\n')
  const search = (key: string) =>
    api(busy).post('/blueprints/search', { query: 'needle (one|two)' }, { 'idempotency-key': key })
  expect((await search('search')).status).toBe(200)
  await busy.api.patch(`/blueprints/${id}`, { markdown_content: 'needle two\n' })
  const again = await search('search')
  expect(again.text).toContain('needle two')
  expect(again.headers['idempotency-replayed']).toBeUndefined()
  expect((await search('x'.repeat(256))).status).toBe(422)
})
