import { parseMarkdown, writeBack } from '@slipway/server/markdown'
import { expect, test } from 'vitest'
import type { Tree } from '../api.ts'
import { ownTemplates, TEMPLATES } from './templates.ts'

test('what stands directly below a document called Templates is a template', () => {
  const node = (id: string, title: string, parent_id: string | null) => ({ id, title, parent_id })
  const nodes = [
    node('1', ' templates', null),
    node('2', 'Interview', '1'),
    node('3', 'Part', '2'),
    node('4', 'X', null),
  ]
  expect(ownTemplates({ groups: [], nodes } as unknown as Tree).map(({ id }) => id)).toEqual(['2'])
  expect(ownTemplates(undefined)).toEqual([])
})

test.each(TEMPLATES)('$name is written as the editor writes it', ({ markdown }) => {
  expect(writeBack('', parseMarkdown(''), parseMarkdown(markdown).doc)).toBe(markdown)
})
