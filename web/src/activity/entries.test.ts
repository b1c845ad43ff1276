import type { Change } from '@slipway/sdk'
import { expect, test } from 'vitest'
import { entriesOf, type Said } from './entries.ts'

const ada = { type: 'person', id: 'ada', name: 'Ada', on_behalf_of: null } as Change['actor']
const agent = { type: 'agent', id: null, name: 'Build agent', on_behalf_of: null } as Change['actor']
const at = (minute: number) => `2026-11-18T09:${String(minute).padStart(2, '0')}:00.000Z`
const change = (minute: number, kind: string, rest: Partial<Change> = {}) =>
  ({ id: `${kind}-${minute}`, kind, actor: ada, payload: {}, created_at: at(minute), ...rest }) as Change
const said = (minute: number, id: string): Said => ({ id, created_at: at(minute), author: { id: 'ada', name: 'Ada' } })
/** As the server answers: newest first. */
const tell = (changes: Change[], comments: Said[] = [], isWhole = true) =>
  entriesOf(comments, changes.toReversed(), isWhole, ({ kind }) =>
    kind.endsWith('.updated') ? 'edited it' : kind.endsWith('.created') ? 'created it' : undefined,
  ).map(({ id }) => id)

test('comments and changes stand in the order in which they happened, without what there is nothing to say about', () => {
  const changes = [change(1, 'thing.created'), change(2, 'thing.watched'), change(4, 'thing.updated')]
  expect(tell(changes, [said(3, 'comment')])).toEqual(['thing.created-1', 'comment', 'thing.updated-4'])
})

test('an edit that the same person repeats within ten minutes is told once, and that of others each time', () => {
  const edit = (minute: number, rest?: Partial<Change>) => change(minute, 'thing.updated', rest)
  expect(tell([edit(1), edit(2), edit(3)])).toEqual(['thing.updated-3'])
  expect(tell([edit(1), edit(2, { actor: agent }), edit(3)])).toHaveLength(3)
  expect(tell([edit(1), edit(12)])).toHaveLength(2)
})

test('comments that are older than the loaded changes wait until the rest is loaded', () => {
  const changes = [change(5, 'thing.updated')]
  expect(tell(changes, [said(1, 'early'), said(6, 'late')], false)).toEqual(['thing.updated-5', 'late'])
  expect(tell(changes, [said(1, 'early'), said(6, 'late')])).toEqual(['early', 'thing.updated-5', 'late'])
})

test('a comment is by whoever the change names, such as an agent that works under an account', () => {
  const commented = change(1, 'thing.commented', { actor: agent, payload: { comment_id: 'comment' } })
  const [entry] = entriesOf([said(1, 'comment')], [commented], true, () => undefined)
  expect(entry).toMatchObject({ kind: 'comment', actor: { name: 'Build agent' } })
})
