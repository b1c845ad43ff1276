import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { follow } from './conversion.ts'
import { mergeUpdate } from './merge-update.ts'
import { unpackState } from './packed-state.ts'
import { fragmentOf, readFragment } from './read-fragment.ts'

const SOURCE = 'one\n\ntwo\n\nthree\n'
const start = unpackState(follow({ source: SOURCE, changeIds: [], before: undefined }))

function open(...updates: Uint8Array[]): Y.Doc {
  const shared = new Y.Doc()
  for (const update of updates) Y.applyUpdate(shared, update)
  return shared
}

const textAt = (shared: Y.Doc, ...path: number[]): Y.XmlText =>
  path.reduce<Y.XmlFragment>((parent, at) => parent.get(at) as Y.XmlElement, fragmentOf(shared)).get(0) as Y.XmlText

const shown = (shared: Y.Doc) => readFragment(fragmentOf(shared)).children.map(({ textContent }) => textContent)

/** What an edit of someone sends. */
function sends(shared: Y.Doc, edit: () => void): Uint8Array {
  const before = Y.encodeStateVector(shared)
  edit()
  return Y.encodeStateAsUpdate(shared, before)
}

const remove = (shared: Y.Doc, at: number) => sends(shared, () => fragmentOf(shared).delete(at, 1))

test('letters that the remover of their block had not seen stay where the block was', () => {
  const [server, writer, remover] = [open(start), open(start), open(start)]
  mergeUpdate(
    server,
    sends(writer, () => textAt(writer, 1).insert(3, ' kept')),
  )
  mergeUpdate(server, remove(remover, 1))
  expect(shown(server)).toEqual(['one', ' kept', 'three'])
})

test('letters that arrive for a removed block follow each other, those of each writer apart', () => {
  const server = open(start)
  const writers = [open(start), open(start)]
  mergeUpdate(server, remove(open(start), 1))
  for (const letter of 'abc')
    for (const writer of writers) {
      const text = textAt(writer, 1)
      mergeUpdate(
        server,
        sends(writer, () => text.insert(text.length, letter)),
      )
    }
  expect(shown(server)).toEqual(['one', 'abc', 'abc', 'three'])
})

test('letters for a block of which nothing is known any more go to the end of the document', () => {
  const removed = open(start)
  remove(removed, 0)
  const [server, writer] = [open(Y.encodeStateAsUpdate(removed)), open(start)]
  mergeUpdate(
    server,
    sends(writer, () => textAt(writer, 0).insert(3, ' kept')),
  )
  expect(shown(server)).toEqual(['two', 'three', ' kept'])
})

test('what was seen and removed, or typed and deleted again, stays away', () => {
  const [server, writer] = [open(start), open(start)]
  mergeUpdate(
    server,
    sends(writer, () => textAt(writer, 1).insert(3, ' seen')),
  )
  mergeUpdate(server, remove(open(Y.encodeStateAsUpdate(server)), 1))
  mergeUpdate(
    server,
    sends(writer, () => {
      textAt(writer, 1).insert(8, ' gone')
      textAt(writer, 1).delete(8, 5)
    }),
  )
  expect(shown(server)).toEqual(['one', 'three'])
})

test('a suggestion in a removed block stays a suggestion', () => {
  const server = open(start)
  const writer = open(start)
  mergeUpdate(
    server,
    sends(writer, () => textAt(writer, 1).insert(3, ' a', { insertion: { id: 'x' } })),
  )
  mergeUpdate(server, remove(open(start), 1))
  mergeUpdate(
    server,
    sends(writer, () => textAt(writer, 1).insert(5, 'b')),
  )
  expect(shown(server)).toEqual(['one', ' ab', 'three'])
  expect(textAt(server, 1).toDelta()).toMatchObject([{ insert: ' ab', attributes: { insertion: {} } }])
})

test('letters in a removed list item go behind the list', () => {
  const list = unpackState(follow({ source: '- a\n- b\n\nend\n', changeIds: [], before: undefined }))
  const [server, writer, remover] = [open(list), open(list), open(list)]
  mergeUpdate(
    server,
    sends(remover, () => (fragmentOf(remover).get(0) as Y.XmlElement).delete(1, 1)),
  )
  mergeUpdate(
    server,
    sends(writer, () => textAt(writer, 0, 1, 0).insert(1, ' kept')),
  )
  expect(shown(server)).toEqual(['a', ' kept', 'end'])
})
