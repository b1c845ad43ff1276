import type { Node } from 'prosemirror-model'
import { Plugin, PluginKey, TextSelection } from 'prosemirror-state'
import type { Mappable } from 'prosemirror-transform'
import { Decoration, DecorationSet, type EditorView } from 'prosemirror-view'
import { createStore, type Store } from '../../lib/store.ts'
import { schema } from '../schema.ts'
import { openPatternSearch, type PatternAnswer } from './find-pattern.ts'

export interface FindQuery {
  text: string
  isCaseSensitive: boolean
  isRegex: boolean
}

interface Match {
  from: number
  to: number
  /** What the expression matched, and what each of its groups did. */
  groups: (string | undefined)[]
}

interface State {
  query: FindQuery
  matches: Match[]
  active: number
  decorations: DecorationSet
}

export interface FindState {
  query: FindQuery
  count: number
  /** Counted from 1. */
  active: number
  fault: string | undefined
}

export interface Find {
  /** Undefined while the bar is closed. */
  state: Store<FindState | undefined>
  plugin: Plugin
  open(): void
  close(): void
  search(query: FindQuery): void
  step(by: 1 | -1): void
  replace(text: string): void
  replaceAll(text: string): number
}

const key = new PluginKey<State>('find')
const NOTHING: FindQuery = { text: '', isCaseSensitive: false, isRegex: false }
const EMPTY: State = { query: NOTHING, matches: [], active: -1, decorations: DecorationSet.empty }
const MAX_MATCHES = 5_000
const TOO_SLOW = 'This pattern takes too long here. Try one with fewer repetitions inside each other.'

/** Finds and replaces words in the document. Text that is suggested to go is not looked at. */
export function findInDocument(viewOf: () => EditorView): Find {
  const state = createStore<FindState | undefined>(undefined)
  const patterns = openPatternSearch()
  /** The last one that took too long. It is not tried again with every letter that is typed. */
  let slow: FindQuery | undefined
  const faultOf = (query: FindQuery) => (query === slow ? TOO_SLOW : faultIn(query))
  const plugin = new Plugin<State>({
    key,
    state: {
      init: () => EMPTY,
      apply(tr, before) {
        const change = tr.getMeta(key) as Partial<State> | undefined
        if (change?.matches) return decorated(tr.doc, { ...before, ...change })
        if (change?.query?.isRegex) return { ...EMPTY, query: change.query }
        if (change?.query) return searched(tr.doc, change.query, change.active ?? 0)
        if (tr.docChanged && before.query.isRegex) return decorated(tr.doc, moved(before, tr.mapping))
        if (tr.docChanged && before.query.text !== '') return searched(tr.doc, before.query, before.active)
        if (change?.active !== undefined) return decorated(tr.doc, { ...before, active: change.active })
        return before
      },
    },
    props: { decorations: (state) => key.getState(state)?.decorations },
    view: () => ({
      destroy: patterns.end,
      update(view, before) {
        const shown = state.get()
        const { matches, active, query } = key.getState(view.state)!
        const isNew = key.getState(before)!.query !== query
        if (query.isRegex && (isNew || view.state.doc !== before.doc)) askFor(view, query, isNew)
        if (!shown || (shown.count === matches.length && shown.active === active + 1 && shown.query === query)) return
        state.set({ query, count: matches.length, active: active + 1, fault: faultOf(query) })
      },
    }),
  })

  const askFor = (view: EditorView, query: FindQuery, isNew: boolean) => {
    const pattern = patternOf(query)
    if (!pattern || query === slow) return patterns.end()
    const { doc, selection } = view.state
    const blocks = textsOf(doc)
    const { source, flags } = pattern
    patterns.ask({ source, flags, texts: blocks.map(({ text }) => text), most: MAX_MATCHES }, (found) => {
      // A change of the document would have ended the search.
      if (found === undefined) {
        slow = query
        const shown = state.get()
        if (shown?.query === query) state.set({ ...shown, fault: TOO_SLOW })
        return
      }
      const matches = placed(doc, blocks, found)
      const first = Math.max(
        0,
        matches.findIndex(({ from }) => from >= selection.from),
      )
      const active = Math.min(isNew ? first : key.getState(view.state)!.active, matches.length - 1)
      tell({ matches, active })
      if (isNew) show()
    })
  }

  const tell = (change: Partial<State>) => {
    const view = viewOf()
    view.dispatch(view.state.tr.setMeta(key, change).setMeta('addToHistory', false))
  }
  const show = () => {
    const view = viewOf()
    const { matches, active } = key.getState(view.state)!
    const match = matches[active]
    if (!match) return
    view.dispatch(view.state.tr.setSelection(TextSelection.create(view.state.doc, match.from, match.to)))
    const { node } = view.domAtPos(match.from)
    const element = node instanceof HTMLElement ? node : node.parentElement
    const box = element?.getBoundingClientRect()
    if (box && (box.top < 130 || box.bottom > innerHeight - 60)) element!.scrollIntoView({ block: 'center' })
  }
  const write = (view: EditorView, matches: Match[], text: string) => {
    const { query } = key.getState(view.state)!
    const { tr } = view.state
    for (const { from, to, groups } of matches) {
      const written = query.isRegex ? expand(text, groups) : text
      if (written === '') tr.delete(from, to)
      else tr.insertText(written, from, to)
    }
    if (matches.length > 0) view.dispatch(tr)
  }

  return {
    state,
    plugin,
    open() {
      const { doc, selection } = viewOf().state
      const chosen = selection.empty ? '' : doc.textBetween(selection.from, selection.to, '\n').split('\n')[0]!
      const before = key.getState(viewOf().state)!.query
      const query = chosen ? { ...before, text: chosen } : before
      state.set({ query, count: 0, active: 0, fault: faultOf(query) })
      tell({ query, active: nearest(viewOf(), query) })
    },
    close() {
      state.set(undefined)
      tell({ query: { ...key.getState(viewOf().state)!.query, text: '' } })
      viewOf().focus()
    },
    search(query) {
      state.set({ query, count: 0, active: 0, fault: faultOf(query) })
      tell({ query, active: nearest(viewOf(), query) })
      show()
    },
    step(by) {
      const { matches, active } = key.getState(viewOf().state)!
      if (matches.length === 0) return
      tell({ active: (active + by + matches.length) % matches.length })
      show()
    },
    replace(text) {
      const view = viewOf()
      const { matches, active } = key.getState(view.state)!
      if (matches[active]) write(view, [matches[active]], text)
      show()
    },
    replaceAll(text) {
      const view = viewOf()
      const { matches } = key.getState(view.state)!
      // From the end, so that places before stay right. A change of code is proposed as a block, so it goes alone.
      const isInCode = ({ from }: Match) => Boolean(view.state.doc.resolve(from).parent.type.spec.code)
      let together: Match[] = []
      for (const match of matches.toReversed()) {
        if (isInCode(match)) {
          write(view, together, text)
          write(view, [match], text)
          together = []
        } else together.push(match)
      }
      write(view, together, text)
      return matches.length
    },
  }
}

function patternOf({ text, isCaseSensitive, isRegex }: FindQuery): RegExp | undefined {
  if (text === '') return undefined
  try {
    return new RegExp(isRegex ? text : text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), isCaseSensitive ? 'gu' : 'giu')
  } catch {
    return undefined
  }
}

function faultIn(query: FindQuery): string | undefined {
  if (!query.isRegex || query.text === '') return undefined
  try {
    new RegExp(query.text, 'u')
    return undefined
  } catch (err) {
    return (err as Error).message.replace(/^Invalid regular expression: /, '')
  }
}

function searched(doc: Node, query: FindQuery, active: number): State {
  const matches = matchesOf(doc, query)
  return decorated(doc, { ...EMPTY, query, matches, active: Math.min(active, matches.length - 1) })
}

interface TextBlock {
  /** Where its text begins. */
  at: number
  text: string
}

function textsOf(doc: Node): TextBlock[] {
  const blocks: TextBlock[] = []
  doc.descendants((node, pos) => {
    if (node.inlineContent) blocks.push({ at: pos + 1, text: node.textBetween(0, node.content.size, '\n', '\ufffc') })
  })
  return blocks
}

/** Of a text that is meant as it is written. Expressions are looked for in a thread. */
function matchesOf(doc: Node, query: FindQuery): Match[] {
  const pattern = patternOf(query)
  if (!pattern || query.isRegex) return []
  const blocks = textsOf(doc)
  const found: PatternAnswer = []
  for (const [block, { text }] of blocks.entries()) {
    if (found.length >= MAX_MATCHES) break
    for (const groups of text.matchAll(pattern)) found.push({ block, index: groups.index, groups: [...groups] })
  }
  return placed(doc, blocks, found)
}

function placed(doc: Node, blocks: TextBlock[], found: PatternAnswer): Match[] {
  return found
    .map(({ block, index, groups }) => {
      const from = blocks[block]!.at + index
      return { from, to: from + groups[0]!.length, groups }
    })
    .filter(({ from, to }) => !doc.rangeHasMark(from, to, schema.marks.deletion))
}

/** The matches that a change has not touched, until the next search has ended. */
function moved(state: State, mapping: Mappable): State {
  const matches = state.matches.flatMap((match) => {
    const [from, to] = [mapping.mapResult(match.from, 1), mapping.mapResult(match.to, -1)]
    return from.deletedAfter || to.deletedBefore ? [] : [{ ...match, from: from.pos, to: to.pos }]
  })
  return { ...state, matches, active: Math.min(state.active, matches.length - 1) }
}

function decorated(doc: Node, state: State): State {
  const decorations = state.matches.map(({ from, to }, at) =>
    Decoration.inline(from, to, { class: at === state.active ? 'found found-active' : 'found' }),
  )
  return { ...state, decorations: DecorationSet.create(doc, decorations) }
}

function nearest(view: EditorView, query: FindQuery): number {
  const { from } = view.state.selection
  return Math.max(
    0,
    matchesOf(view.state.doc, query).findIndex((match) => match.from >= from),
  )
}

/** `$1` is the first group, `$&` all of it, `$$` a dollar. */
const expand = (text: string, groups: Match['groups']) =>
  text.replaceAll(/\$(\d|&|\$)/g, (_, sign: string) =>
    sign === '$' ? '$' : sign === '&' ? groups[0]! : (groups[Number(sign)] ?? ''),
  )
