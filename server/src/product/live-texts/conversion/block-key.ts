import { Fragment, type MarkType, type Node } from 'prosemirror-model'
import { parseMarkdown, readProposal, schema } from '../../../engines/markdown/index.ts'
import { meaningOf } from '../../../engines/markdown/write/serialize.ts'

const { soft_break, hard_break } = schema.nodes

const keys = new WeakMap<Node, string>()

/**
 * Returns a key for the meaning of a block. Two blocks with the same key are the same block, even if their notation or
 * their shared form differs.
 */
export function keyOf(node: Node): string {
  let key = keys.get(node)
  if (key === undefined) {
    key = proposalKey(node) ?? plainKey(node)
    keys.set(node, key)
  }
  return key
}

function plainKey(node: Node): string {
  const plain = mapInline(withoutOuterSpaces(node), (inline) => inline.map(withoutBreakMarks))
  return `${node.type.name} ${meaningOf([plain])}`
}

/** Editors do not know how the blocks were written that they propose to replace. */
function proposalKey(node: Node): string | undefined {
  const proposal = node.type === schema.nodes.opaque_block && readProposal(String(node.attrs.source))
  if (!proposal) return undefined
  const [old, fresh] = [proposal.old, proposal.fresh].map((text) => parseMarkdown(text).doc.children.map(keyOf))
  return JSON.stringify(['proposal', old, fresh])
}

/** Emphasis that continues across a line break has the same meaning as emphasis that does not. */
const withoutBreakMarks = (node: Node) => (isBreak(node) && node.marks.length > 0 ? node.mark([]) : node)

export const isBreak = (node: Node) => node.type === soft_break || node.type === hard_break

/**
 * While someone types, a line ends with a space until the next word. It is invisible, and markdown does not have it.
 */
export function withoutOuterSpaces(node: Node): Node {
  return mapInline(node, (inline) =>
    inline.flatMap((child, at) => {
      if (!child.text || child.marks.some(({ type }) => KEEPS_SPACES.has(type))) return [child]
      const [before, after] = [inline[at - 1], inline[at + 1]]
      let from = 0
      let to = child.text.length
      if (!before || isBreak(before)) while (from < to && isSpace(child.text[from])) from++
      if (!after || isBreak(after)) while (to > from && isSpace(child.text[to - 1])) to--
      if (from === to) return []
      return [to - from === child.text.length ? child : child.cut(from, to)]
    }),
  )
}

const isSpace = (char: string | undefined) => char === ' ' || char === '\t'

export const KEEPS_SPACES = new Set<MarkType>([schema.marks.code, schema.marks.insertion, schema.marks.deletion])

/** Returns a copy with the mapped inline content, or the node itself if nothing changes. Leaves code alone. */
export function mapInline(node: Node, map: (inline: readonly Node[]) => readonly Node[]): Node {
  const { children } = node
  if (node.type.spec.code) return node
  const mapped = node.inlineContent ? map(children) : children.map((child) => mapInline(child, map))
  const isSame = mapped.length === children.length && mapped.every((child, at) => child === children[at])
  return isSame ? node : node.copy(Fragment.from([...mapped]))
}
