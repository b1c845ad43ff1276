import { MAX_NESTING } from './block.ts'
import { type Inline, inline, type PairKind } from './inline.ts'

interface Mark {
  kind: PairKind
  at: number
  size: number
}

/** A run of `*`, `_` or `~`. Whatever remains between `left` and `right` at the end is plain text. */
export interface Run {
  kind: 'run'
  char: string
  left: number
  right: number
  length: number
  canOpen: boolean
  canClose: boolean
  closes: Mark[]
  opens: Mark[]
  prev: Run | undefined
  next: Run | undefined
}

const SPACE = /\s/
const PUNCTUATION = /[\p{P}\p{S}]/u

export function readRun(text: string, from: number): Run {
  const char = text[from]!
  let to = from + 1
  while (text[to] === char) to++
  const before = from === 0 ? ' ' : characterBefore(text, from)
  const after = to >= text.length ? ' ' : String.fromCodePoint(text.codePointAt(to)!)
  const spaceBefore = SPACE.test(before)
  const spaceAfter = SPACE.test(after)
  const punctuationBefore = PUNCTUATION.test(before)
  const punctuationAfter = PUNCTUATION.test(after)
  const leftFlanking = !spaceAfter && (!punctuationAfter || spaceBefore || punctuationBefore)
  const rightFlanking = !spaceBefore && (!punctuationBefore || spaceAfter || punctuationAfter)
  const within = char === '_'
  return {
    kind: 'run',
    char,
    left: from,
    right: to,
    length: to - from,
    canOpen: leftFlanking && (!within || !rightFlanking || punctuationBefore),
    canClose: rightFlanking && (!within || !leftFlanking || punctuationAfter),
    closes: [],
    opens: [],
    prev: undefined,
    next: undefined,
  }
}

function characterBefore(text: string, at: number): string {
  const low = text.charCodeAt(at - 1)
  if (low >= 0xdc00 && low <= 0xdfff && at > 1) return String.fromCodePoint(text.codePointAt(at - 2)!)
  return text[at - 1]!
}

export interface RunList {
  first: Run | undefined
  last: Run | undefined
}

export function appendRun(list: RunList, run: Run) {
  run.prev = list.last
  if (list.last) list.last.next = run
  else list.first = run
  list.last = run
}

/** Drops all runs above `bottom`. */
export function cutRuns(list: RunList, bottom: Run | undefined) {
  list.last = bottom
  if (bottom) bottom.next = undefined
  else list.first = undefined
}

function removeRun(list: RunList, run: Run) {
  if (run.prev) run.prev.next = run.next
  else list.first = run.next
  if (run.next) run.next.prev = run.prev
  else list.last = run.prev
}

/** Runs the CommonMark delimiter algorithm on the runs above `bottom`. Linear, because it remembers failed searches. */
export function pairRuns(list: RunList, bottom: Run | undefined) {
  const searched = new Map<string, Run | undefined>()
  let closer = bottom ? bottom.next : list.first
  while (closer) {
    if (!closer.canClose) {
      closer = closer.next
      continue
    }
    const size = closer.right - closer.left
    const key = `${closer.char}${closer.canOpen}${closer.char === '~' ? size : closer.length % 3}`
    const floor = searched.has(key) ? searched.get(key) : bottom
    let opener = closer.prev
    while (opener && opener !== floor && opener !== bottom && !pairs(opener, closer)) opener = opener.prev
    if (!opener || opener === floor || opener === bottom) {
      searched.set(key, closer.prev)
      const next: Run | undefined = closer.next
      if (!closer.canOpen) removeRun(list, closer)
      closer = next
      continue
    }
    join(opener, closer)
    opener.next = closer
    closer.prev = opener
    if (opener.left === opener.right) removeRun(list, opener)
    if (closer.left === closer.right) {
      const next: Run | undefined = closer.next
      removeRun(list, closer)
      closer = next
    }
  }
  cutRuns(list, bottom)
}

function pairs(opener: Run, closer: Run): boolean {
  if (opener.char !== closer.char || !opener.canOpen) return false
  if (closer.char === '~') return opener.length === closer.length && closer.length <= 2
  const clash = closer.canOpen || opener.canClose
  return !(clash && closer.length % 3 !== 0 && (opener.length + closer.length) % 3 === 0)
}

function join(opener: Run, closer: Run) {
  const both = Math.min(opener.right - opener.left, closer.right - closer.left)
  const size = Math.min(both, 2)
  const kind = closer.char === '~' ? 'strike' : size === 2 ? 'strong' : 'em'
  opener.right -= size
  opener.opens.push({ kind, at: opener.right, size })
  closer.closes.push({ kind, at: closer.left, size })
  closer.left += size
}

export interface LinkOpen {
  kind: 'open'
  node: Inline
}

export interface LinkClose {
  kind: 'close'
}

export type Token = { kind: 'atom'; node: Inline } | Run | LinkOpen | LinkClose

/** Builds the tree from the flat list of tokens and joins adjacent texts. Returns undefined if it nests too deep. */
export function buildTree(text: string, tokens: Token[]): Inline[] | undefined {
  const root: Inline[] = []
  const open: Inline[] = []
  const siblings = () => open.at(-1)?.children ?? root
  for (const token of tokens) {
    if (open.length > MAX_NESTING) return undefined
    if (token.kind === 'atom') addAtom(siblings(), token.node)
    else if (token.kind === 'open') {
      siblings().push(token.node)
      open.push(token.node)
    } else if (token.kind === 'close') open.pop()
    else {
      for (const mark of token.closes) {
        const node = open.pop()!
        node.innerTo = mark.at
        node.to = mark.at + mark.size
      }
      if (token.left < token.right)
        addAtom(siblings(), inline('text', token.left, token.right, { text: text.slice(token.left, token.right) }))
      for (const mark of token.opens.reverse()) {
        const node = inline(mark.kind, mark.at, mark.at, { innerFrom: mark.at + mark.size, label: token.char })
        siblings().push(node)
        open.push(node)
      }
    }
  }
  return root
}

function addAtom(siblings: Inline[], node: Inline) {
  const last = siblings.at(-1)
  const verbatim = (piece: Inline) => piece.kind === 'text' && piece.text.length === piece.to - piece.from
  if (last && last.to === node.from && verbatim(last) && verbatim(node)) {
    last.to = node.to
    last.innerTo = node.to
    last.text += node.text
  } else siblings.push(node)
}
