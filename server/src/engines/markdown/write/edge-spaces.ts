import type { Fragment, Mark, Node } from 'prosemirror-model'

const DELIMITED = new Set(['em', 'strong', 'strike'])

/**
 * Moves spaces at the edges of emphasis out of it: markdown cannot begin or end emphasis with a space. In one line, a
 * line break of the source is a space.
 */
export function withoutEdgeSpaces(content: Fragment, oneLine = false): Node[] {
  const nodes = content.content.map((node) =>
    oneLine && node.type.name === 'soft_break' ? node.type.schema.text(' ', node.marks) : node,
  )
  return nodes.flatMap((node, at) => {
    if (node.text === undefined || isCode(node) || !node.marks.some((mark) => DELIMITED.has(mark.type.name)))
      return [node]
    const start = node.text.length - node.text.trimStart().length
    const end = node.text.trimEnd().length
    const starting = keepOnly(node, nodes[at - 1])
    const ending = keepOnly(node, nodes[at + 1])
    if (end === 0) return [starting.mark(keepOnly(starting, nodes[at + 1]).marks)]
    return [
      ...(start > 0 ? [starting.cut(0, start)] : []),
      node.cut(start, end),
      ...(end < node.text.length ? [ending.cut(end)] : []),
    ]
  })
}

function isCode(node: Node): boolean {
  return node.marks.some((mark: Mark) => mark.type.name === 'code')
}

/** Removes the emphasis that the neighbour does not share. Emphasis ends where a tracked change begins or ends. */
function keepOnly(node: Node, neighbour: Node | undefined): Node {
  const isApart = !neighbour || trackedIn(node) !== trackedIn(neighbour)
  return node.mark(
    node.marks.filter((mark) => !DELIMITED.has(mark.type.name) || (!isApart && mark.isInSet(neighbour.marks))),
  )
}

const trackedIn = ({ marks }: Node): unknown =>
  marks.find(({ type }) => type.name === 'insertion' || type.name === 'deletion')?.attrs.id
