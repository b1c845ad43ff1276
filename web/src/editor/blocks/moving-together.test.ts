import type { Transaction } from 'prosemirror-state'
import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { type HeadlessEditor, openHeadless } from '../../../../e2e/writing-together/headless-editor.ts'
import { follow } from '../../../../server/src/product/live-texts/conversion/conversion.ts'
import { mergeUpdate } from '../../../../server/src/product/live-texts/conversion/merge-update.ts'
import { unpackState } from '../../../../server/src/product/live-texts/conversion/packed-state.ts'
import { moveColumn, moveRow } from '../tables/commands.ts'
import { blockAt } from './block.ts'
import { moveBlock } from './commands.ts'

const LINES = ['one', 'two', 'three', 'four']

/** Two editors with the same lines. What they do reaches the server, and each other, by `send`. */
function openTwo(source = LINES.join('\n\n')) {
  const start = unpackState(follow({ source, changeIds: [], before: undefined }))
  const server = new Y.Doc()
  Y.applyUpdate(server, start)
  const people = [1, 2].map((clientId) => {
    const shared = new Y.Doc()
    shared.clientID = clientId * 1_000_000
    Y.applyUpdate(shared, start)
    return { shared, editor: openHeadless(shared) }
  })
  const send = () => {
    for (const { shared } of people) mergeUpdate(server, Y.encodeStateAsUpdate(shared))
    for (const { shared } of people) Y.applyUpdate(shared, Y.encodeStateAsUpdate(server))
  }
  return { mover: people[0]!.editor, writer: people[1]!.editor, send }
}

const startOf = (editor: HeadlessEditor, line: string) => {
  let at = 0
  editor.doc().forEach((node, offset) => {
    if (node.textContent.startsWith(line)) at = offset
  })
  return at
}
const linesOf = (editor: HeadlessEditor) => editor.doc().children.map(({ textContent }) => textContent)

test.each([
  { step: -1, typedIn: 'three' },
  { step: -1, typedIn: 'one' },
  { step: -1, typedIn: 'four' },
  { step: 1, typedIn: 'three' },
  { step: 1, typedIn: 'two' },
] as const)('words typed in "$typedIn" while "three" is moved by $step stay in their line', ({ step, typedIn }) => {
  const { mover, writer, send } = openTwo()
  mover.edit((state) => moveBlock(step)(state, blockAt(state.doc, startOf(mover, 'three'))!))
  writer.select(startOf(writer, typedIn) + 1 + typedIn.length)
  writer.type(' words')
  send()
  const moved = step < 0 ? ['one', 'three', 'two', 'four'] : ['one', 'two', 'four', 'three']
  const expected = moved.map((line) => (line === typedIn ? `${line} words` : line))
  expect([linesOf(mover), linesOf(writer)]).toEqual([expected, expected])
})

test('words typed in the line that a moved one passes are not lost, and go to no other line', () => {
  const { mover, writer, send } = openTwo()
  mover.edit((state) => moveBlock(-1)(state, blockAt(state.doc, startOf(mover, 'three'))!))
  writer.select(startOf(writer, 'two') + 4)
  writer.type(' words')
  send()
  for (const editor of [mover, writer])
    expect(linesOf(editor).filter((line) => line.trim() !== 'words')).toEqual(['one', 'three', 'two', 'four'])
  for (const editor of [mover, writer]) expect(linesOf(editor).join().split('words')).toHaveLength(2)
})

test('one step of Undo puts a moved block back', () => {
  const { mover } = openTwo()
  mover.forget()
  mover.edit((state) => moveBlock(-1)(state, blockAt(state.doc, startOf(mover, 'three'))!))
  mover.undo()
  expect(linesOf(mover)).toEqual(LINES)
})

const TABLE = '| a | b | c |\n| --- | --- | --- |\n| d | e | f |\n| g | h | i |'

const findText = (editor: HeadlessEditor, text: string) => {
  let at = 0
  editor.doc().descendants((node, pos) => {
    if (node.isText && node.text === text) at = pos
  })
  return at
}
const rowsOf = (editor: HeadlessEditor) =>
  editor.doc().firstChild!.children.map((row) => row.children.map(({ textContent }) => textContent).join(' '))

test.each([
  { what: 'row', command: moveRow(1), rows: ['a b c', 'g h i', 'd e! f'] },
  { what: 'column to the right', command: moveColumn(1), rows: ['a c b', 'd f e!', 'g i h'] },
  { what: 'column to the left', command: moveColumn(-1), rows: ['b a c', 'e! d f', 'h g i'] },
])('words typed in a cell whose $what is moved stay in it', ({ command, rows }) => {
  const { mover, writer, send } = openTwo(TABLE)
  mover.select(findText(mover, 'e'))
  mover.edit((state) => {
    let made: Transaction | undefined
    command(state, (tr) => {
      made = tr
    })
    return made
  })
  writer.select(findText(writer, 'e') + 1)
  writer.type('!')
  send()
  expect([rowsOf(mover), rowsOf(writer)]).toEqual([rows, rows])
})
