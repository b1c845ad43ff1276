import type { Node } from 'prosemirror-model'
import { Plugin, PluginKey } from 'prosemirror-state'
import { Decoration, DecorationSet } from 'prosemirror-view'
import { ySyncPluginKey } from 'y-prosemirror'
import { schema } from './schema.ts'
import '../lib/code-colors.css'

type Lowlight = typeof import('../lib/languages.ts')['lowlight']

interface State {
  lowlight: Lowlight | undefined
  decorations: DecorationSet
}

const key = new PluginKey<State>('highlight')
const MAX_CHARACTERS = 50_000

/** Colors code. Nothing is loaded before the first block that names a language, and only changed blocks are read again. */
export const highlighting = (): Plugin<State> => {
  const known = new WeakMap<Node, [number, number, string][]>()
  const rangesOf = (lowlight: Lowlight, node: Node) => {
    let ranges = known.get(node)
    if (!ranges) {
      ranges = readRanges(lowlight, node)
      known.set(node, ranges)
    }
    return ranges
  }
  const decorate = (doc: Node, lowlight: Lowlight) => {
    const decorations: Decoration[] = []
    doc.descendants((node, pos) => {
      if (node.type === schema.nodes.code_block)
        for (const [from, to, name] of rangesOf(lowlight, node))
          decorations.push(Decoration.inline(pos + 1 + from, pos + 1 + to, { class: name }))
      return !node.inlineContent
    })
    return DecorationSet.create(doc, decorations)
  }
  let isLoading = false
  return new Plugin<State>({
    key,
    state: {
      init: () => ({ lowlight: undefined, decorations: DecorationSet.empty }),
      apply(tr, state) {
        const lowlight = (tr.getMeta(key) as Lowlight | undefined) ?? state.lowlight
        if (!lowlight) return state
        if (lowlight === state.lowlight && !tr.docChanged) return state
        // What others write replaces the whole document, as far as a mapping can tell.
        const isOwn = tr.getMeta(ySyncPluginKey) === undefined
        if (lowlight === state.lowlight && isOwn && !touchesCode(tr.doc, tr.before))
          return { lowlight, decorations: state.decorations.map(tr.mapping, tr.doc) }
        return { lowlight, decorations: decorate(tr.doc, lowlight) }
      },
    },
    props: { decorations: (state) => key.getState(state)?.decorations },
    view: (view) => {
      const begin = async () => {
        if (isLoading || !hasCode(view.state.doc)) return
        isLoading = true
        const { lowlight } = await import('../lib/languages.ts')
        if (!view.isDestroyed) view.dispatch(view.state.tr.setMeta(key, lowlight).setMeta('addToHistory', false))
      }
      void begin()
      return { update: (_view, before) => void (before.doc !== view.state.doc && begin()) }
    },
  })
}

const languageOf = (node: Node) => (/^[\w+#-]+/.exec(String(node.attrs.info))?.[0] ?? '').toLowerCase()

function hasCode(doc: Node): boolean {
  let found = false
  doc.descendants((node) => {
    if (node.type === schema.nodes.code_block && languageOf(node) !== '') found = true
    return !found && !node.inlineContent
  })
  return found
}

/** True if one of the blocks that differ has code in it. */
function touchesCode(after: Node, before: Node): boolean {
  const old = new Set(before.children)
  const fresh = after.children.filter((node) => !old.has(node))
  const now = new Set(after.children)
  return [...fresh, ...before.children.filter((node) => !now.has(node))].some((node) => {
    let found = node.type === schema.nodes.code_block
    node.descendants((child) => {
      if (child.type === schema.nodes.code_block) found = true
      return !found && !child.inlineContent
    })
    return found
  })
}

interface Tree {
  type: string
  value?: string
  properties?: { className?: unknown }
  children?: Tree[]
}

function readRanges(lowlight: Lowlight, node: Node): [number, number, string][] {
  const language = languageOf(node)
  const code = node.textContent
  if (!lowlight.registered(language) || code.length > MAX_CHARACTERS) return []
  const ranges: [number, number, string][] = []
  let at = 0
  const walk = (tree: Tree) => {
    const from = at
    at += tree.value?.length ?? 0
    for (const child of tree.children ?? []) walk(child)
    const names = tree.properties?.className
    if (Array.isArray(names) && at > from) ranges.push([from, at, names.join(' ')])
  }
  walk(lowlight.highlight(language, code) as Tree)
  return ranges
}
