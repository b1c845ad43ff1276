import { serializeBlock } from '@slipway/server/markdown'
import { EditorState } from 'prosemirror-state'
import { expect, test } from 'vitest'
import { blocksOf } from '../markdown.ts'
import { schema } from '../schema.ts'
import { blockAround } from './block.ts'
import { type BlockEdit, deleteBlock, duplicateBlock, moveBlock } from './commands.ts'
import { type Form, turnInto } from './turn-into.ts'

const stateOf = (markdown: string) => EditorState.create({ doc: schema.nodes.doc.create(null, blocksOf(markdown)) })

/** The document after the edit of the block that has these words, or undefined if it cannot be done. */
function after(markdown: string, words: string, edit: BlockEdit): string | undefined {
  const state = stateOf(markdown)
  let at = -1
  state.doc.descendants((node, pos) => {
    if (at < 0 && node.isText && node.text!.includes(words)) at = pos
  })
  const tr = edit(state, blockAround(state.doc.resolve(at))!)
  tr?.doc.check()
  return tr?.doc.children.map((node) => serializeBlock(node)).join('\n\n')
}

test('a block changes place with its neighbor, and an item with an item of its list', () => {
  expect(after('one\n\n> two', 'one', moveBlock(1))).toBe('> two\n\none')
  expect(after('one\n\n- two', 'two', moveBlock(-1))).toBeUndefined()
  expect(after('- a\n  - b\n- c', 'c', moveBlock(-1))).toBe('- c\n- a\n  - b')
  expect(after('one', 'one', moveBlock(1))).toBeUndefined()
})

test('a copy stands below, without the suggestions in it', () => {
  expect(after('# one\n\ntwo', 'one', duplicateBlock)).toBe('# one\n\n# one\n\ntwo')
  expect(after('one {++two++}', 'one', duplicateBlock)).toBe('one {++two++}\n\none two')
  expect(after('- [x] a\n- b', 'a', duplicateBlock)).toBe('- [x] a\n- [x] a\n- b')
})

test('the last item takes its list along, and the last block leaves a line', () => {
  expect(after('- a\n- b', 'a', deleteBlock)).toBe('- b')
  expect(after('one\n\n- a', 'a', deleteBlock)).toBe('one')
  expect(after('- a\n  - b', 'b', deleteBlock)).toBe('- a')
  expect(after('one', 'one', deleteBlock)).toBe('')
})

test.each<[string, string, Form, string | undefined]>([
  ['one *two*', 'one', 'h2', '## one *two*'],
  ['# one', 'one', 'text', 'one'],
  ['one', 'one', 'tasks', '- [ ] one'],
  ['one', 'one', 'quote', '> one'],
  ['> one\n>\n> two', 'one', 'text', 'one\n\ntwo'],
  ['> one\n>\n> two', 'one', 'numbers', '1. one\n2. two'],
  ['one\\\n*two*', 'one', 'code', '```\none\ntwo\n```'],
  ['```js\na\nb\n```', 'a', 'text', 'a\n\nb'],
  ['- a\n- b\n- c', 'b', 'h3', '- a\n\n### b\n\n- c'],
  ['3. a\n4. b\n5. c', 'a', 'text', 'a\n\n4. b\n5. c'],
  ['- a\n  - b\n- c', 'c', 'numbers', '1. a\n   - b\n2. c'],
  ['- [x] a', 'a', 'list', '- a'],
  ['- a', 'a', 'list', undefined],
  ['| a |\n| --- |', 'a', 'text', undefined],
  ['> ```\n> a\n> ```', 'a', 'list', '- a'],
])('%j, the block with %j turned into %s', (markdown, words, form, expected) => {
  expect(after(markdown, words, turnInto(form))).toBe(expected)
})
