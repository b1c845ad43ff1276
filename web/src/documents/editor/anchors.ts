import type { CommentAnchor } from '@slipway/sdk'
import type { Node } from 'prosemirror-model'
import { type EditorState, Plugin, PluginKey, type Transaction } from 'prosemirror-state'
import { Decoration, DecorationSet, type EditorView } from 'prosemirror-view'
import { absolutePositionToRelativePosition, relativePositionToAbsolutePosition, ySyncPluginKey } from 'y-prosemirror'
import * as Y from 'yjs'
import { findQuote } from './find-quote.ts'

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
  active: string | undefined
  /** The passage that a new comment will be about. */
  draft: Range | undefined
  /** What finds it again when others have written. */
  draftAnchor: CommentAnchor | undefined
  decorations: DecorationSet
}

type Change = Partial<Pick<State, 'threads' | 'active' | 'draft'>>

const key = new PluginKey<State>('anchors')
const AROUND = 80

/** Marks the passages that comments are about, and finds them again when the text has moved or changed. */
export const anchoring = (): Plugin<State> =>
  new Plugin<State>({
    key,
    state: {
      init: () => ({
        threads: [],
        places: new Map(),
        active: undefined,
        draft: undefined,
        draftAnchor: undefined,
        decorations: DecorationSet.empty,
      }),
      apply(tr, before, _old, state) {
        const change = tr.getMeta(key) as Change | undefined
        if (!change && !tr.docChanged) return before
        const next = { ...before, ...change }
        const isRemote = tr.docChanged && tr.getMeta(ySyncPluginKey) !== undefined
        if (change?.threads || isRemote) next.places = placesOf(state, next.threads)
        else if (tr.docChanged) next.places = moved(next.places, tr)
        if (change && 'draft' in change) next.draftAnchor = change.draft && anchorOf(state, change.draft)
        else if (tr.docChanged && next.draft)
          next.draft = isRemote ? placeOf(state, next.draftAnchor!) : mapRange(next.draft, tr)
        return { ...next, decorations: decorate(tr.doc, next) }
      },
    },
    props: { decorations: (state) => key.getState(state)?.decorations },
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
    quote: text(from, to).slice(0, 10_000),
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

function placesOf(state: EditorState, threads: Anchored[]): Map<string, Range> {
  const places = new Map<string, Range>()
  for (const { id, anchor } of threads) {
    const place = placeOf(state, anchor)
    if (place) places.set(id, place)
  }
  return places
}

const placeOf = (state: EditorState, anchor: CommentAnchor) =>
  resolve(state, anchor.position) ?? findQuote(state.doc, anchor)

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

const mapRange = ({ from, to }: Range, tr: Transaction): Range | undefined => {
  const range = { from: tr.mapping.map(from, 1), to: tr.mapping.map(to, -1) }
  return range.from < range.to ? range : undefined
}

function moved(places: Map<string, Range>, tr: Transaction): Map<string, Range> {
  const next = new Map<string, Range>()
  for (const [id, range] of places) {
    const place = mapRange(range, tr)
    if (place) next.set(id, place)
  }
  return next
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
