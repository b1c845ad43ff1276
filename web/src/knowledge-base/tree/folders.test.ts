import { expect, test } from 'vitest'
import { isWithin, NEW_ROW, pathTo, ROOT_ID, rowsOf } from './folders.ts'

const folder = (id: string, parent_id: string | null, file_count: number) => ({ id, name: id, parent_id, file_count })
const tree = {
  folders: [folder('legal', null, 7), folder('research', null, 9), folder('interviews', 'research', 14)],
  rootCount: 3,
}
const lines = (open: string[], adding?: string) =>
  rowsOf(tree, new Set(open), adding).map((row) => (row.type === 'node' ? `${row.id} ${row.fileCount}` : row.id))

test('a folder counts the files below it, also while it is closed', () => {
  expect(lines([])).toEqual([`${ROOT_ID} 33`, 'legal 7', 'research 23'])
  expect(lines(['research'])).toEqual([`${ROOT_ID} 33`, 'legal 7', 'research 23', 'interviews 14'])
})

test('a new folder is named below the one that it is added to, which opens', () => {
  expect(lines([], 'research').slice(-3)).toEqual(['research 23', 'interviews 14', NEW_ROW])
})

test('the way to a folder starts at the root, and ends in a circle', () => {
  expect(pathTo(tree.folders, 'interviews').map(({ id }) => id)).toEqual(['research', 'interviews'])
  expect(pathTo(tree.folders, null)).toEqual([])
  expect(pathTo([folder('a', 'b', 0), folder('b', 'a', 0)], 'a')).toHaveLength(2)
  expect(isWithin(tree.folders, 'interviews', 'research')).toBe(true)
  expect(isWithin(tree.folders, 'research', 'interviews')).toBe(false)
})
