import type { CommentAnchor } from '@slipway/sdk'
import { Node } from 'prosemirror-model'
import { EditorState, type Plugin } from 'prosemirror-state'
import { expect, test, vi } from 'vitest'
import { ySyncPluginKey } from 'y-prosemirror'
import { anchoring, anchorOf, placeOfThread } from './anchors.ts'
import { schema } from './schema.ts'

const docOf = (lines: string[]) =>
  schema.nodes.doc.create(
    null,
    lines.map((text) => schema.nodes.paragraph.create(null, text ? schema.text(text) : null)),
  )

/** An editor in which others write: what comes from them replaces the whole document. */
function open(...lines: string[]) {
  let state = EditorState.create({ doc: docOf(lines), plugins: [anchoring()] })
  const [plugin] = state.plugins as [Plugin]
  const tell = (meta: object) => {
    state = state.apply(state.tr.setMeta(plugin.spec.key!, meta))
  }
  return {
    comment(words: string, line: number) {
      let at = 0
      state.doc.forEach((node, pos, index) => {
        if (index === line) at = pos + 1 + node.textContent.indexOf(words)
      })
      const anchor: CommentAnchor = { ...anchorOf(state, { from: at, to: at + words.length }), position: null }
      tell({ threads: [{ id: 'a', anchor }] })
    },
    commentLost: (count: number) =>
      tell({
        threads: Array.from({ length: count }, (_, at) => ({
          id: String(at),
          anchor: { quote: `gone ${at}`, prefix: 'It is ', suffix: ' for good', position: null },
        })),
      }),
    becomes(...next: string[]) {
      const { tr, doc } = state
      tr.replaceWith(0, doc.content.size, docOf(next).content).setMeta(ySyncPluginKey, { isChangeOrigin: true })
      state = state.apply(tr)
    },
    pause: () => tell({ searches: true }),
    place() {
      const place = placeOfThread(state, 'a')
      return place && [state.doc.textBetween(place.from, place.to), state.doc.resolve(place.from).index(0)]
    },
  }
}

test('a comment does not jump to equal words when its own are deleted, and is back after undo', () => {
  const editor = open('Status: open for all', 'Second: open for some', 'Middle')
  editor.comment('open', 1)
  expect(editor.place()).toEqual(['open', 1])
  editor.becomes('Status: open for all', 'Second: for some', 'Middle')
  editor.pause()
  expect(editor.place()).toBeUndefined()
  editor.becomes('New line', 'Status: open for all', 'Second: for some', 'Middle')
  editor.pause()
  expect(editor.place()).toBeUndefined()
  editor.becomes('New line', 'Status: open for all', 'Second: open for some', 'Middle')
  editor.pause()
  expect(editor.place()).toEqual(['open', 2])
})

test('a comment follows its words when a part of them is deleted and brought back', () => {
  const editor = open('The last four digits of the card', 'End')
  editor.comment('four digits', 0)
  editor.becomes('The last digits of the card', 'End')
  editor.pause()
  expect(editor.place()).toEqual(['digits', 0])
  editor.becomes('The last four digits of the card', 'End')
  editor.pause()
  expect(editor.place()).toEqual(['four digits', 0])
})

test('a comment moves along with words that are cut and pasted elsewhere', () => {
  const editor = open('The last four digits of the card', 'End')
  editor.comment('four digits', 0)
  editor.becomes('The last of the card', 'End')
  editor.pause()
  expect(editor.place()).toBeUndefined()
  editor.becomes('The last of the card', 'End', 'last four digits of')
  editor.pause()
  expect(editor.place()).toEqual(['four digits', 2])
})

test('a letter from others does not read the whole text, however many comments have lost their words', () => {
  const lines = Array.from({ length: 500 }, (_, at) => `Line ${at} of the text`)
  const editor = open(...lines)
  editor.commentLost(50)
  const read = vi.spyOn(Node.prototype, 'descendants')
  lines[250] += 'x'
  editor.becomes(...lines)
  expect(read).not.toHaveBeenCalled()
  editor.pause()
  expect(read).toHaveBeenCalledTimes(1)
  read.mockRestore()
})
