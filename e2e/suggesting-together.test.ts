import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { follow } from '../server/src/product/live-texts/conversion/conversion.ts'
import { mergeUpdate } from '../server/src/product/live-texts/conversion/merge-update.ts'
import { unpackState } from '../server/src/product/live-texts/conversion/packed-state.ts'
import { type HeadlessEditor, openHeadless } from './writing-together/headless-editor.ts'

/** Two people who suggest in one line, and the server between them. The first one has the lower or higher Yjs client. */
function openTwo(isFirstLower: boolean) {
  const start = unpackState(follow({ source: 'one two three four', changeIds: [], before: undefined }))
  const server = new Y.Doc()
  Y.applyUpdate(server, start)
  const people = [true, false].map((isFirst) => {
    const shared = new Y.Doc()
    shared.clientID = isFirst === isFirstLower ? 5_000_000 : 6_000_000
    Y.applyUpdate(shared, start)
    const editor = openHeadless(shared)
    editor.isSuggesting = true
    const waiting: Uint8Array[] = []
    shared.on('update', (update: Uint8Array, origin: unknown) => {
      if (origin !== server) waiting.push(update)
    })
    return { editor, shared, waiting }
  })
  /** Everything that was typed reaches everybody. */
  const send = () => {
    for (const { waiting } of people) for (const update of waiting.splice(0)) mergeUpdate(server, update)
    for (const { shared } of people) Y.applyUpdate(shared, Y.encodeStateAsUpdate(server), server)
  }
  return { first: people[0]!.editor, second: people[1]!.editor, send }
}

const suggest = (editor: HeadlessEditor, at: number, text: string) => {
  editor.select(at)
  for (const letter of text) editor.type(letter)
}

/** What is there without the suggestions, and the suggestions. */
const read = (editor: HeadlessEditor) => {
  const parts = editor.doc().firstChild!.children.map(({ text, marks }) => ({ text, isAdded: marks.length > 0 }))
  const plain = parts.flatMap(({ text, isAdded }) => (isAdded ? [] : [text]))
  return { plain: plain.join(''), added: parts.flatMap(({ text, isAdded }) => (isAdded ? [text] : [])).sort() }
}

test.each([true, false])('two suggestions at one place at once stay suggestions, first lower: %s', (isFirstLower) => {
  const { first, second, send } = openTwo(isFirstLower)
  suggest(first, 8, ' kkk')
  suggest(second, 8, ' mmm')
  send()
  for (const editor of [first, second])
    expect(read(editor)).toEqual({ plain: 'one two three four', added: [' kkk', ' mmm'] })
})

test.each([
  { where: 'before', at: 8 },
  { where: 'behind', at: 12 },
])('undoing a suggestion changes neither the text nor the suggestion of someone else $where it', ({ at }) => {
  for (const isFirstLower of [true, false]) {
    const { first, second, send } = openTwo(isFirstLower)
    suggest(first, 8, ' kkk')
    send()
    suggest(second, at, ' mmm')
    send()
    first.undo()
    send()
    for (const editor of [first, second]) expect(read(editor)).toEqual({ plain: 'one two three four', added: [' mmm'] })
  }
})
