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
    const starting = endingAt(node, nodes, at, -1)
    const ending = endingAt(node, nodes, at, 1)
    if (end === 0) return [endingAt(starting, nodes, at, 1)]
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

/** Removes the emphasis that ends at this edge of the node, whether the suggestions are shown, accepted or rejected. */
function endingAt(node: Node, nodes: readonly Node[], at: number, step: 1 | -1): Node {
  const own = trackedIn(nodes[at]!)
  const beside = [undefined, 'deletion', 'insertion']
    .filter((gone) => gone === undefined || gone !== own?.type.name)
    .map((gone) => {
      let next = at + step
      while (gone && nodes[next] && trackedIn(nodes[next]!)?.type.name === gone) next += step
      return nodes[next]
    })
  const other = beside[0] && trackedIn(beside[0])
  const isInOne = own && other ? own.eq(other) : own === other
  const goesOn = (mark: Mark) =>
    beside.every((node) => node && mark.isInSet(node.marks)) && (isInOne || isAround(nodes, at, mark))
  return node.mark(node.marks.filter((mark) => !DELIMITED.has(mark.type.name) || goesOn(mark)))
}

/** True if the emphasis is also on plain text, so that it is written around the suggestions in it. */
export function isAround(nodes: readonly Node[], at: number, mark: Mark): boolean {
  const reaches = (step: 1 | -1) => {
    for (let next = at; nodes[next] && mark.isInSet(nodes[next]!.marks); next += step)
      if (!trackedIn(nodes[next]!)) return true
    return false
  }
  return reaches(1) || reaches(-1)
}

const trackedIn = ({ marks }: Node): Mark | undefined =>
  marks.find(({ type }) => type.name === 'insertion' || type.name === 'deletion')
