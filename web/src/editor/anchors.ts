import type { CommentAnchor } from '@slipway/sdk'
import type { Node } from 'prosemirror-model'
import { type EditorState, Plugin, PluginKey, type Transaction } from 'prosemirror-state'
import { Decoration, DecorationSet, type EditorView } from 'prosemirror-view'
import { absolutePositionToRelativePosition, relativePositionToAbsolutePosition, ySyncPluginKey } from 'y-prosemirror'
import * as Y from 'yjs'
import { bestOf, type Flat, flatten, quotesIn } from './find-quote.ts'

export interface Range {
  from: number
  to: number
}

interface Anchored {
  id: string
  anchor: CommentAnchor
}

interface State {
  threads: Anchored[]
  /** Where the passages stand now. A passage that is gone is missing. */
  places: Map<string, Range>
  /** Where passages stood that were deleted since, and how often their words stood elsewhere then. */
  lost: Map<string, { at: number; elsewhere: number | undefined }>
  active: string | undefined
  /** The passage that a new comment will be about. */
  draft: Range | undefined
  /** What finds it again when others have written. */
  draftAnchor: CommentAnchor | undefined
  decorations: DecorationSet
}

type Change = Partial<Pick<State, 'threads' | 'active' | 'draft'>> & { searches?: true }

const key = new PluginKey<State>('anchors')
const AROUND = 80
const MAX_QUOTE = 10_000
const SEARCH_AFTER_MS = 300

/**
 * Marks the passages that comments are about, and follows them while the text changes. A passage that cannot be followed
 * is searched for by its words once the typing pauses: that reads the whole text.
 */
export const anchoring = (): Plugin<State> =>
  new Plugin<State>({
    key,
    state: {
      init: () => ({
        threads: [],
        places: new Map(),
        lost: new Map(),
        active: undefined,
        draft: undefined,
        draftAnchor: undefined,
        decorations: DecorationSet.empty,
      }),
      apply(tr, before, old, state) {
        const change = tr.getMeta(key) as Change | undefined
        if (!change && !tr.docChanged) return before
        const { searches, ...rest } = change ?? {}
        let next: State = { ...before, ...rest }
        const isRemote = tr.docChanged && tr.getMeta(ySyncPluginKey) !== undefined
        if (tr.docChanged) next = { ...next, ...followed(next, state, isRemote, mapOf(tr, old.doc, isRemote)) }
        if (rest.threads || searches) next = { ...next, ...searched(next, state) }
        if (change && 'draft' in change) next.draftAnchor = change.draft && anchorOf(state, change.draft)
        else if (tr.docChanged && next.draft)
          next.draft =
            (isRemote && resolve(state, next.draftAnchor!.position)) ||
            mapRange(next.draft, mapOf(tr, old.doc, isRemote))
        return { ...next, decorations: decorate(tr.doc, next) }
      },
    },
    props: { decorations: (state) => key.getState(state)?.decorations },
    view: () => {
      let timer: ReturnType<typeof setTimeout> | undefined
      return {
        update(view, before) {
          if (view.state.doc === before.doc || !isDoubtful(view.state)) return
          clearTimeout(timer)
          timer = setTimeout(() => changeAnchors(view, { searches: true }), SEARCH_AFTER_MS)
        },
        destroy: () => clearTimeout(timer),
      }
    },
  })

export const placeOfThread = (state: EditorState, id: string) => key.getState(state)?.places.get(id)
export const draftOf = (state: EditorState) => key.getState(state)?.draft

export function changeAnchors(view: EditorView, change: Change): void {
  if (!view.isDestroyed) view.dispatch(view.state.tr.setMeta(key, change).setMeta('addToHistory', false))
}

/** What a passage is remembered by. */
export function anchorOf(state: EditorState, { from, to }: Range): CommentAnchor {
  const { doc } = state
  const text = (start: number, end: number) => doc.textBetween(start, end, '\n', ' ')
  return {
    quote: text(from, to).slice(0, MAX_QUOTE),
    prefix: text(Math.max(0, from - AROUND), from).slice(-AROUND),
    suffix: text(to, Math.min(doc.content.size, to + AROUND)).slice(0, AROUND),
    position: positionOf(state, { from, to }),
  }
}

interface Binding {
  type: Y.XmlFragment
  doc: Y.Doc
  mapping: Map<Y.AbstractType<unknown>, Node | Node[]>
}
const bindingOf = (state: EditorState) => ySyncPluginKey.getState(state)?.binding as Binding | undefined

function positionOf(state: EditorState, range: Range): string | null {
  const binding = bindingOf(state)
  if (!binding) return null
  const encode = (at: number) =>
    Y.relativePositionToJSON(absolutePositionToRelativePosition(at, binding.type, binding.mapping as never))
  // Behind its last letter, so that what is added after the passage does not become part of it.
  const isInText = state.doc.resolve(range.to).parentOffset > 0
  const end = isInText ? { ...encode(range.to - 1), assoc: -1 } : encode(range.to)
  return JSON.stringify({ start: encode(range.from), end })
}

/** Where a place is when others have written before it. Undefined if it is gone. */
export function followPlace(state: EditorState, pos: number): (now: EditorState) => number | undefined {
  const before = bindingOf(state)
  if (!before) return () => pos
  const held = absolutePositionToRelativePosition(pos, before.type, before.mapping as never)
  return (now) => {
    const { doc, type, mapping } = bindingOf(now) ?? before
    return relativePositionToAbsolutePosition(doc, type, held, mapping as never) ?? undefined
  }
}

type Follow = (pos: number, side: -1 | 1) => number

/** What comes from others replaces the whole document, so what differs is looked for. */
function mapOf(tr: Transaction, old: Node, isRemote: boolean): Follow {
  if (!isRemote) return (pos, side) => tr.mapping.map(pos, side)
  const start = old.content.findDiffStart(tr.doc.content)
  const end = old.content.findDiffEnd(tr.doc.content)
  if (start === null || !end) return (pos) => pos
  const overlap = Math.max(0, start - Math.min(end.a, end.b))
  const [from, to, size] = [start, end.a + overlap, end.b + overlap - start]
  return (pos, side) => (pos < from ? pos : pos > to ? pos + size - (to - from) : side < 0 ? from : from + size)
}

/** Where the passages are after an edit. */
function followed(now: State, state: EditorState, isRemote: boolean, follow: Follow): Pick<State, 'places' | 'lost'> {
  const places = new Map<string, Range>()
  const lost = new Map([...now.lost].map(([id, one]) => [id, { ...one, at: follow(one.at, -1) }]))
  for (const { id, anchor } of now.threads) {
    const before = now.places.get(id)
    const place = (isRemote ? resolve(state, anchor.position) : undefined) ?? (before && mapRange(before, follow))
    if (place) {
      places.set(id, place)
      lost.delete(id)
    } else if (before) lost.set(id, { at: follow(before.from, -1), elsewhere: undefined })
  }
  return { places, lost }
}

const isWhole = ({ doc }: EditorState, { from, to }: Range, { quote }: CommentAnchor) =>
  doc.textBetween(from, to, '\n', ' ').slice(0, MAX_QUOTE) === quote

/** True if a passage is gone, or is not what it was. */
function isDoubtful(state: EditorState): boolean {
  const { threads, places } = key.getState(state)!
  return threads.some(({ id, anchor }) => {
    const place = places.get(id)
    return !place || !isWhole(state, place, anchor)
  })
}

/** Looks for passages by their words. One that was deleted comes back where it was, or where its words are new. */
function searched(now: State, state: EditorState): Pick<State, 'places' | 'lost'> {
  const places = new Map<string, Range>()
  const lost = new Map<string, { at: number; elsewhere: number | undefined }>()
  let flat: Flat | undefined
  for (const { id, anchor } of now.threads) {
    const place = now.places.get(id) ?? resolve(state, anchor.position)
    const gone = now.lost.get(id)
    if (place && isWhole(state, place, anchor)) {
      places.set(id, place)
      continue
    }
    flat ??= flatten(state.doc)
    const found = quotesIn(flat, anchor)
    const point = place ?? (gone && { from: gone.at, to: gone.at })
    const here = point && found.find(({ from, to }) => from <= point.to && to >= point.from)
    const isNew = !point || (gone?.elsewhere !== undefined && found.length > gone.elsewhere)
    const best = here ?? place ?? (isNew ? bestOf(found, anchor) : undefined)
    if (best) places.set(id, { from: best.from, to: best.to })
    else if (gone) lost.set(id, { at: gone.at, elsewhere: found.length })
  }
  return { places, lost }
}

function resolve(state: EditorState, position: string | null): Range | undefined {
  const binding = bindingOf(state)
  if (!binding || !position) return undefined
  try {
    const { start, end } = JSON.parse(position)
    const [from, to] = [start, end].map((one) =>
      relativePositionToAbsolutePosition(
        binding.doc,
        binding.type,
        Y.createRelativePositionFromJSON(one),
        binding.mapping as never,
      ),
    )
    if (from == null || to == null || from >= to || to > state.doc.content.size) return undefined
    return state.doc.textBetween(from, to, ' ').trim() === '' ? undefined : { from, to }
  } catch {
    // It comes from another client, or from a state that is gone.
    return undefined
  }
}

const mapRange = ({ from, to }: Range, follow: Follow): Range | undefined => {
  const range = { from: follow(from, 1), to: follow(to, -1) }
  return range.from < range.to ? range : undefined
}

function decorate(doc: Node, { places, active, draft }: State): DecorationSet {
  if (places.size === 0 && !draft) return DecorationSet.empty
  const decorations = [...places].map(([id, { from, to }]) =>
    Decoration.inline(from, to, {
      class: id === active ? 'commented commented-active' : 'commented',
      'data-thread': id,
    }),
  )
  if (draft) decorations.push(Decoration.inline(draft.from, draft.to, { class: 'commented commented-active' }))
  return DecorationSet.create(doc, decorations)
}
