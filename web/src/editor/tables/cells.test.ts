import { serializeBlock } from '@slipway/server/markdown'
import { type Node, Slice } from 'prosemirror-model'
import { type Command, EditorState, TextSelection } from 'prosemirror-state'
import { expect, test } from 'vitest'
import { blocksOf } from '../markdown.ts'
import { schema } from '../schema.ts'
import { pasteIntoCell } from './cell-content.ts'
import { CellSelection } from './cell-selection.ts'
import { tableCells } from './cells.ts'
import {
  addColumn,
  alignColumn,
  breakInCell,
  downFromCell,
  moveColumn,
  moveRow,
  removeColumn,
  stepCell,
} from './commands.ts'
import { cellAt } from './grid.ts'

const GRID = '| a | b | c |\n| --- | --- | --- |\n| 1 | 2 | 3 |\n| 4 | 5 | 6 |'
const stateOf = (markdown: string) =>
  EditorState.create({ doc: schema.nodes.doc.create(null, blocksOf(markdown)), plugins: [tableCells()] })
const markdownOf = (doc: Node) => doc.children.map((node) => serializeBlock(node)).join('\n\n')
const cellOf = ({ doc }: EditorState, row: number, column: number) =>
  doc.resolve(cellAt({ table: doc.firstChild!, at: 0 }, row, column))
const over = (state: EditorState, from: [number, number], to: [number, number]) =>
  state.apply(state.tr.setSelection(new CellSelection(cellOf(state, ...from), cellOf(state, ...to))))
const within = (state: EditorState, row: number, column: number) =>
  state.apply(state.tr.setSelection(TextSelection.near(state.doc.resolve(cellOf(state, row, column).pos + 1))))
const pasted = (state: EditorState, markdown: string) => {
  const content = schema.nodes.doc.create(null, blocksOf(markdown)).content
  return markdownOf(state.apply(pasteIntoCell(state, new Slice(content, 0, 0))!).doc)
}
const run = (state: EditorState, command: Command) => {
  let next = state
  command(state, (tr) => {
    next = state.apply(tr)
  })
  return next
}

test('typing over selected cells clears their text and removes no cell', () => {
  const state = over(stateOf(GRID), [1, 1], [2, 2])
  expect(markdownOf(state.apply(state.tr.insertText('x')).doc)).toBe(
    '| a | b | c |\n| --- | --- | --- |\n| 1 | x |  |\n| 4 |  |  |',
  )
  expect(markdownOf(state.apply(state.tr.deleteSelection()).doc)).toBe(
    '| a | b | c |\n| --- | --- | --- |\n| 1 |  |  |\n| 4 |  |  |',
  )
})

test('text that is selected from one cell to another becomes a selection of cells', () => {
  const state = stateOf(GRID)
  const [from, to] = [cellOf(state, 0, 1).pos + 1, cellOf(state, 2, 2).pos + 2]
  const next = state.apply(state.tr.setSelection(TextSelection.create(state.doc, from, to)))
  expect(next.selection).toBeInstanceOf(CellSelection)
  expect(next.selection.ranges).toHaveLength(6)
})

test('an edit that reaches from the text into a table leaves every row its cells', () => {
  const state = stateOf(`Before\n\n${GRID}`)
  const table = 8
  const inside = cellAt({ table: state.doc.child(1), at: table }, 1, 1) + 1
  const next = state.apply(state.tr.delete(3, inside))
  next.doc.descendants((node) => {
    if (node.type === schema.nodes.table)
      for (const row of node.children) expect(row.childCount).toBe(node.firstChild!.childCount)
  })
})

test('a pasted table fills the cells from the cursor on, and the table grows to hold it', () => {
  const state = within(stateOf(GRID), 2, 2)
  expect(pasted(state, '| x | **y** |\n| --- | --- |\n| z | w |')).toBe(
    '| a | b | c |  |\n| --- | --- | --- | --- |\n| 1 | 2 | 3 |  |\n| 4 | 5 | x | **y** |\n|  |  | z | w |',
  )
})

test('paragraphs, lists and code that are pasted into a cell become its text, with breaks', () => {
  const state = within(stateOf(GRID), 1, 0)
  expect(pasted(state, 'One\n\nTwo\n\n- three\n\n```js\nfour\nfive\n```')).toBe(
    '| a | b | c |\n| --- | --- | --- |\n| One<br>Two<br>three<br>four<br>five1 | 2 | 3 |\n| 4 | 5 | 6 |',
  )
})

test('cells are copied as a table with a header, and pasted over selected cells', () => {
  const state = over(stateOf(GRID), [2, 0], [1, 1])
  const { content } = state.selection.content()
  expect(markdownOf(schema.nodes.doc.create(null, content))).toBe('| 1 | 2 |\n| --- | --- |\n| 4 | 5 |')
  expect(pasted(state, 'One\n\nTwo')).toBe('| a | b | c |\n| --- | --- | --- |\n| One<br>Two |  | 3 |\n|  |  | 6 |')
})

test('a break in a cell is written as markdown reads it, without escapes', () => {
  const state = run(within(stateOf(GRID), 1, 0), breakInCell)
  expect(markdownOf(state.apply(state.tr.insertText('x')).doc)).toContain('| <br>x1 | 2 | 3 |')
})

test('the keys and tools of a table work where a row has fewer cells', () => {
  const { table, table_row, table_header, table_cell } = schema.nodes
  const cells = (type: typeof table_cell, ...texts: string[]) =>
    table_row.create(
      null,
      texts.map((text) => type.create(null, schema.text(text))),
    )
  const ragged = table.create(null, [
    cells(table_header, 'a', 'b', 'c'),
    cells(table_cell, '1'),
    cells(table_cell, '2', '3'),
  ])
  const state = EditorState.create({ doc: schema.nodes.doc.create(null, ragged), plugins: [tableCells()] })
  for (const [row, count] of [
    [0, 3],
    [1, 1],
    [2, 2],
  ] as const)
    for (let column = 0; column < count; column++)
      for (const command of [
        stepCell(1),
        stepCell(-1),
        downFromCell,
        addColumn('after'),
        removeColumn,
        alignColumn('left'),
      ])
        expect(() => run(within(state, row, column), command)).not.toThrow()
  const typed = within(state, 1, 0)
  expect(markdownOf(typed.apply(typed.tr.insertText('x')).doc)).toBe(
    '| a | b | c |\n| --- | --- | --- |\n| x1 |  |  |\n| 2 | 3 |  |',
  )
})

test('a row and a column change place with their neighbors, and the cursor goes along', () => {
  const state = within(stateOf(GRID), 1, 1)
  const down = run(state, moveRow(1))
  expect(markdownOf(down.doc)).toBe('| a | b | c |\n| --- | --- | --- |\n| 4 | 5 | 6 |\n| 1 | 2 | 3 |')
  expect(markdownOf(run(down, moveRow(-1)).doc)).toBe(GRID)
  expect(moveRow(1)(down)).toBe(false)
  expect(moveRow(-1)(state)).toBe(false)
  const left = run(state, moveColumn(-1))
  expect(markdownOf(left.doc)).toBe('| b | a | c |\n| --- | --- | --- |\n| 2 | 1 | 3 |\n| 5 | 4 | 6 |')
  expect(markdownOf(run(left, moveColumn(1)).doc)).toBe(GRID)
  expect(moveColumn(-1)(left)).toBe(false)
})
