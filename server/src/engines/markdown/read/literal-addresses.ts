import { type Inline, inline } from './inline.ts'

const ADDRESS =
  /(?<![\p{L}\p{N}@/])(?:(?:https?|ftp):\/\/|www\.)[^\s<]+|(?<![\w.+/@-])[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+/giu

/** Turns bare addresses outside links into links, as GFM specifies. */
export function linkAddresses(nodes: Inline[]): Inline[] {
  const linked: Inline[] = []
  for (const node of nodes) {
    if (node.kind === 'text') linked.push(...split(node))
    else {
      if (node.kind !== 'link' && node.kind !== 'image') node.children = linkAddresses(node.children)
      linked.push(node)
    }
  }
  return linked
}

function split(node: Inline): Inline[] {
  if (node.text.length !== node.to - node.from || !/www\.|:\/\/|@/i.test(node.text)) return [node]
  const pieces: Inline[] = []
  let done = 0
  const textTo = (to: number) => {
    if (to <= done) return
    pieces.push(inline('text', node.from + done, node.from + to, { text: node.text.slice(done, to) }))
    done = to
  }
  for (const match of node.text.matchAll(ADDRESS)) {
    const text = trimAddress(match[0])
    const href = hrefOf(text)
    if (!href) continue
    textTo(match.index)
    done = match.index + text.length
    pieces.push(inline('autolink', node.from + match.index, node.from + done, { text, href, style: 'literal' }))
  }
  textTo(node.text.length)
  return pieces
}

function hrefOf(text: string): string | undefined {
  const host = /^(?:(?:https?|ftp):\/\/|(?=www\.))([^/?#:\s]+)/i.exec(text)?.[1]
  if (host !== undefined) {
    const labels = host.split('.')
    if (labels.length < 2 || labels.slice(-2).some((label) => label === '' || label.includes('_'))) return undefined
    return text.includes('://') ? text : `http://${text}`
  }
  return /^[^@]+@[^@]+[^_@-]$/.test(text) ? `mailto:${text}` : undefined
}

/** Strips trailing punctuation, entities and unmatched closing parentheses, which are not part of an address. */
function trimAddress(text: string): string {
  let end = text.length
  let surplus = count(text, ')') - count(text, '(')
  while (end > 0) {
    const last = text[end - 1]!
    if (last === ')' && surplus > 0) surplus--
    else if (last === ';') end = Math.min(end, entityStart(text, end) + 1)
    else if (!/[?!.,:*_~'"]/.test(last)) break
    end--
  }
  return text.slice(0, end)
}

/** Returns the start of the entity that ends before `end`, or the position of the semicolon if there is no entity. */
function entityStart(text: string, end: number): number {
  let at = end - 2
  while (at >= 0 && /[A-Za-z0-9]/.test(text[at]!)) at--
  return text[at] === '&' && at < end - 2 ? at : end - 1
}

function count(text: string, char: string): number {
  let found = 0
  for (const each of text) if (each === char) found++
  return found
}
