import { EditorState, type Transaction } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { expect, test } from 'vitest'
import { blocksOf } from '../markdown.ts'
import { schema } from '../schema.ts'
import { trackChanges } from '../suggesting/track-changes.ts'
import { trackedRuns } from '../suggesting/tracked-runs.ts'
import { findInDocument } from './find-in-document.ts'

/** The parts of a view that finding uses. */
function open(markdown: string, isSuggesting = false) {
  const find = findInDocument(() => view as unknown as EditorView)
  const own = new Set<string>()
  let edits = 0
  const view = {
    state: EditorState.create({ doc: schema.nodes.doc.create(null, blocksOf(markdown)), plugins: [find.plugin] }),
    domAtPos: () => ({ node: { parentElement: null } }),
    dispatch(tr: Transaction) {
      if (tr.docChanged) edits++
      const next = isSuggesting && tr.docChanged ? trackChanges(view.state, tr, own) : tr
      view.state = view.state.apply(next)
    },
  }
  const search = (text: string) =>
    view.dispatch(
      view.state.tr.setMeta(find.plugin.spec.key!, {
        query: { text, isCaseSensitive: true, isRegex: false },
        active: 0,
      }),
    )
  return { find, view, search, edits: () => edits }
}

test('all matches are replaced in one edit', () => {
  const { find, view, search, edits } = open(Array(1000).fill('one fee, two fee').join('\n\n'))
  search('fee')
  expect(find.replaceAll('charge')).toBe(2000)
  expect(edits()).toBe(1)
  expect(view.state.doc.textContent).toBe('one charge, two charge'.repeat(1000))
})

test('while suggesting, each match is a suggestion of its own, also when all are replaced', () => {
  const { find, view, search, edits } = open('one fee, two fee\n\n- a fee', true)
  search('fee')
  find.replaceAll('charge')
  expect(edits()).toBe(1)
  const runs = trackedRuns(view.state.doc).map(({ kind, text }) => `${kind} ${text}`)
  expect(runs).toEqual(Array(3).fill(['deletion fee', 'insertion charge']).flat())
  expect(new Set(trackedRuns(view.state.doc).map(({ id }) => id)).size).toBe(6)
})
