import { expect, test } from 'vitest'
import type { Write } from './index.ts'
import { asText } from './unsent-text.ts'

const write = (text: string, input: unknown) => ({ text, input }) as Write

test('unsent writes are copied with what each is about and every word that was written', () => {
  const text = asText([
    write('Comment on WO-41', { id: 'b1e3', number: 41, text: 'Never\n\nround twice', author: { name: 'Ada' } }),
    write('WO-7 to In review', { ids: ['x'], fields: { status: 'in_review' } }),
    write('New work order', { fields: { title: 'Refunds', markdown_content: 'To the card' } }),
  ])
  expect(text).toBe(
    'Comment on WO-41\n\nNever\n\nround twice\n\n---\n\nWO-7 to In review\n\n---\n\nNew work order\n\nRefunds\n\nTo the card',
  )
})
