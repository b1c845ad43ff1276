import { Fragment, type MarkType, type Node } from 'prosemirror-model'
import { schema } from '../../../engines/markdown/index.ts'
import { meaningOf } from '../../../engines/markdown/write/serialize.ts'

const { soft_break, hard_break } = schema.nodes

const keys = new WeakMap<Node, string>()

/** What a block says. Two that say the same are the same block, whether or not they are written or held alike. */
export function keyOf(node: Node): string {
  let key = keys.get(node)
  if (key === undefined) {
    const plain = mapInline(withoutOuterSpaces(node), (inline) => inline.map(withoutBreakMarks))
    key = `${node.type.name} ${meaningOf([plain])}`
    keys.set(node, key)
  }
  return key
}

/** Whether emphasis goes on over the end of a line makes no difference to what is said. */
const withoutBreakMarks = (node: Node) => (isBreak(node) && node.marks.length > 0 ? node.mark([]) : node)

const isBreak = (node: Node) => node.type === soft_break || node.type === hard_break

/** Whoever types leaves a space at the end of the line until the next word; nobody sees it, and markdown has none there. */
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

const KEEPS_SPACES = new Set<MarkType>([schema.marks.code, schema.marks.insertion, schema.marks.deletion])

/** A copy with other inline content, or the node itself when nothing is different. Code is left alone. */
export function mapInline(node: Node, map: (inline: readonly Node[]) => readonly Node[]): Node {
  const { children } = node
  if (node.type.spec.code) return node
  const mapped = node.inlineContent ? map(children) : children.map((child) => mapInline(child, map))
  const isSame = mapped.length === children.length && mapped.every((child, at) => child === children[at])
  return isSame ? node : node.copy(Fragment.from([...mapped]))
}
