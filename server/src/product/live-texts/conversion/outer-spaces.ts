import { Fragment, type Node } from 'prosemirror-model'
import { schema } from '../../../engines/markdown/index.ts'
import { isBreak, KEEPS_SPACES, keyOf } from './block-key.ts'

/** Returns the changed block with the spaces that the shared one has at the edges of its lines and markdown does not. */
export function withOuterSpacesOf(held: Node, changed: Node): Node {
  const from = linesOf(held)
  const to = linesOf(changed)
  const isSameCount = from.length === to.length
  const content = to.flatMap((line, at) => {
    const last = at === to.length - 1
    const before = isSameCount || at === 0 ? spaceOf(from[at]!.nodes[0], leadingSpace) : []
    const after =
      isSameCount || last ? spaceOf((isSameCount ? from[at]! : from.at(-1)!).nodes.at(-1), trailingSpace) : []
    return [...before, ...line.nodes, ...(line.nodes.length > 0 ? after : []), ...line.end]
  })
  if (content.length === changed.childCount) return changed
  const merged = changed.copy(Fragment.from(content))
  return keyOf(merged) === keyOf(changed) ? merged : changed
}

interface Line {
  nodes: Node[]
  /** The break that ends it. */
  end: Node[]
}

function linesOf(block: Node): Line[] {
  const lines: Line[] = [{ nodes: [], end: [] }]
  for (const node of block.children) {
    if (isBreak(node)) {
      lines.at(-1)!.end.push(node)
      lines.push({ nodes: [], end: [] })
    } else lines.at(-1)!.nodes.push(node)
  }
  return lines
}

const isSpace = (letter: string | undefined) => letter === ' ' || letter === '\t'

function leadingSpace(text: string): string {
  let end = 0
  while (isSpace(text[end])) end++
  return text.slice(0, end)
}

function trailingSpace(text: string): string {
  let start = text.length
  while (isSpace(text[start - 1])) start--
  return text.slice(start)
}

function spaceOf(node: Node | undefined, spaceIn: (text: string) => string): Node[] {
  if (!node?.text || node.marks.some(({ type }) => KEEPS_SPACES.has(type))) return []
  const space = spaceIn(node.text)
  return space === '' ? [] : [schema.text(space, node.marks)]
}
