import type { Node } from 'prosemirror-model'
import { type EditorState, Plugin, PluginKey } from 'prosemirror-state'
import { Decoration, DecorationSet, type EditorView } from 'prosemirror-view'
import { type Callout, readCallout } from '../../lib/callouts.ts'
import '../../lib/callouts.css'
import { type Details, pairDetails, readDetails } from '../../lib/details.ts'
import { schema } from '../schema.ts'

const { blockquote, html_block, paragraph, soft_break, hard_break } = schema.nodes

interface Range {
  opening: Node
  /** From the block that opens the details to the one that closes them. */
  from: number
  to: number
  bodies: { from: number; to: number }[]
}

interface State {
  callouts: Decoration[]
  ranges: Range[]
  decorations: DecorationSet
}

const key = new PluginKey<State>('framing')

/** What someone has opened or closed. A block that nobody touches stays the same node, wherever it goes. */
const folded = new WeakMap<Node, boolean>()

const detailsOf = (node: Node): Details | undefined =>
  node.type === html_block ? readDetails(node.attrs.html) : undefined

export const isFolded = (opening: Node): boolean => folded.get(opening) ?? detailsOf(opening)?.isOpen !== true

export function toggleFold(view: EditorView, opening: Node): void {
  folded.set(opening, !isFolded(opening))
  view.dispatch(view.state.tr.setMeta(key, true).setMeta('addToHistory', false))
}

/** The kind of a callout, and how long the line is that says so. */
export function calloutOf(quote: Node): { kind: Callout; length: number } | undefined {
  const first = quote.type === blockquote ? quote.firstChild : null
  const words = first?.type === paragraph ? first.firstChild : null
  const next = first?.maybeChild(1)
  if (!words?.isText || (next && next.type !== soft_break && next.type !== hard_break)) return undefined
  const kind = readCallout(words.text!)
  return kind && { kind, length: words.text!.trimEnd().length }
}

function decorateCallout(quote: Node, at: number): Decoration[] {
  const callout = calloutOf(quote)
  if (!callout) return []
  const start = at + 2
  const hidden = { class: 'callout-sign' }
  const isAlone = quote.firstChild!.childCount === 1
  return [
    Decoration.node(at, at + quote.nodeSize, { class: 'callout', 'data-callout': callout.kind }),
    Decoration.inline(start, start + 2, hidden),
    Decoration.inline(start + 2, start + callout.length - 1, { class: 'callout-kind' }),
    Decoration.inline(start + callout.length - 1, start + callout.length, hidden),
    ...(isAlone ? [] : [Decoration.inline(start + callout.length, start + callout.length + 1, hidden)]),
  ]
}

function read(doc: Node): Pick<State, 'callouts' | 'ranges'> {
  const callouts: Decoration[] = []
  const places: number[] = []
  const ends: (Details['end'] | undefined)[] = []
  doc.forEach((node, at) => {
    places.push(at)
    ends.push(detailsOf(node)?.end)
    if (node.type === blockquote) callouts.push(...decorateCallout(node, at))
  })
  const ranges = [...pairDetails(ends)].map(([first, last]): Range => {
    const bodies = places.slice(first + 1, last + 1).map((from, index) => ({
      from,
      to: from + doc.child(first + 1 + index).nodeSize,
    }))
    const to = places[last]! + doc.child(last).nodeSize
    return { opening: doc.child(first), from: places[first]!, to, bodies }
  })
  return { callouts, ranges }
}

/** Details that have the cursor in them are open. */
function decorate(
  { doc, selection }: Pick<EditorState, 'doc' | 'selection'>,
  { callouts, ranges }: State,
): DecorationSet {
  const all = [...callouts]
  for (const { opening, from, to, bodies } of ranges) {
    const hasCursor = selection.head > from + opening.nodeSize && selection.head < to
    const state = isFolded(opening) && !hasCursor ? 'closed' : 'open'
    all.push(Decoration.node(from, from + opening.nodeSize, { class: 'details-start', 'data-details': state }))
    for (const [at, body] of bodies.entries()) {
      const name = at === bodies.length - 1 ? 'details-end' : 'details-body'
      all.push(Decoration.node(body.from, body.to, { class: name, 'data-details': state }))
    }
  }
  return all.length === 0 ? DecorationSet.empty : DecorationSet.create(doc, all)
}

/** Shows callouts and details as such. They stay the quotes and blocks of HTML that they are in markdown. */
export const framing = (): Plugin<State> =>
  new Plugin<State>({
    key,
    state: {
      init: (_config, state) => {
        const found: State = { ...read(state.doc), decorations: DecorationSet.empty }
        return { ...found, decorations: decorate(state, found) }
      },
      apply(tr, before, _old, state) {
        if (!tr.docChanged && !tr.getMeta(key) && (before.ranges.length === 0 || !tr.selectionSet)) return before
        const found = tr.docChanged ? { ...before, ...read(tr.doc) } : before
        return { ...found, decorations: decorate(state, found) }
      },
    },
    props: { decorations: (state) => key.getState(state)?.decorations },
  })
