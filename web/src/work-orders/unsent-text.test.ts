import { expect, test, vi } from 'vitest'
import type { Write } from '../lib/outbox/index.ts'

vi.stubGlobal('navigator', { onLine: true, userAgent: '' })
for (const name of ['addEventListener', 'matchMedia']) vi.stubGlobal(name, () => ({ matches: false }))
vi.stubGlobal('localStorage', { getItem: () => null })
const { asText } = await import('../lib/outbox/unsent-text.ts')
await import('./writes.ts')

const write = (kind: string, text: string, input: unknown) => ({ kind, text, input }) as Write
const row = { id: 'x', title: 'Somebody wrote this title' }

test('unsent writes are copied with what each is about and every word that was written', () => {
  const text = asText([
    write('work-orders.comment', 'Comment on WO-41', {
      number: 41,
      text: 'Never\n\nround twice',
      author: { name: 'Ada' },
    }),
    write('work-orders.values', 'WO-7 to In review', { edits: [{ row, fields: { status: 'in_review' } }] }),
    write('work-orders.values', 'Title of WO-7', { edits: [{ row, fields: { title: 'Total' }, expected: row }] }),
    write('work-orders.create', 'Create “Refunds”', { fields: { title: 'Refunds', markdown_content: 'To the card' } }),
    write('views.change', 'View “Mine”', { view: { name: 'Mine' }, change: { name: 'Ours' } }),
    { ...write('work-orders.text', 'Plan of WO-7', { text: 'First', base: 'Before' }), merged: 'First, and theirs' },
  ])
  expect(text.split('\n\n---\n\n')).toEqual([
    'Comment on WO-41\n\nNever\n\nround twice',
    'WO-7 to In review',
    'Title of WO-7\n\nTotal',
    'Create “Refunds”\n\nRefunds\n\nTo the card',
    'View “Mine”\n\nOurs',
    'Plan of WO-7\n\nFirst, and theirs',
  ])
})
