import type { AttributedSuggestion } from '@slipway/sdk'
import { expect, test } from 'vitest'
import type { TrackedRun } from '../../editor/suggesting/tracked-runs.ts'
import { nameRuns } from './proposals.ts'

const run = (kind: TrackedRun['kind'], text: string, id?: string, from = 0): TrackedRun => ({
  id,
  kind,
  text,
  from,
  to: from + 1,
})
const listed = (kind: TrackedRun['kind'], text: string, id: string) => ({ id, kind, text }) as AttributedSuggestion
const idsOf = (runs: TrackedRun[], suggestions: AttributedSuggestion[]) =>
  nameRuns(runs, suggestions).map(({ id, text }) => [text, id])

test('suggestions without a mark are told by what they say', () => {
  const runs = [run('insertion', 'marked', 'a'), run('deletion', '# Old'), run('insertion', '## New')]
  const suggestions = [
    listed('insertion', 'marked', 'a'),
    listed('insertion', '## New', 'c'),
    listed('deletion', '# Old', 'b'),
  ]
  expect(idsOf(runs, suggestions)).toEqual([
    ['marked', 'a'],
    ['# Old', 'b'],
    ['## New', 'c'],
  ])
})

test('a block that someone types on stays the same suggestion, with both halves', () => {
  const runs = [run('deletion', '# Old'), run('insertion', '## New!'), run('insertion', 'other')]
  const suggestions = [
    listed('deletion', '# Old', 'a'),
    listed('insertion', '## New', 'b'),
    listed('insertion', 'other', 'c'),
  ]
  expect(idsOf(runs, suggestions)).toEqual([
    ['# Old', 'a'],
    ['## New!', 'b'],
    ['other', 'c'],
  ])
})

test('what the server has not listed has no name yet, whatever is left in the list', () => {
  const stale = [listed('deletion', 'gone', 'x'), listed('insertion', 'gone', 'y')]
  expect(idsOf([run('deletion', '# Old'), run('insertion', '## New')], stale)).toEqual([])
  const elsewhere = [run('deletion', 'gone'), run('insertion', '## New', undefined, 8)]
  expect(idsOf(elsewhere, stale)).toEqual([['gone', 'x']])
})
