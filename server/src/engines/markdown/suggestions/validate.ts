import { CONTROL } from '../../text/characters.ts'
import type { Block } from '../read/block.ts'
import type { Inline } from '../read/inline.ts'
import { hasInline, leafTexts, readLeaf } from '../read/leaf-text.ts'
import { type BlockTree, readBlocks } from '../read/read-blocks.ts'
import { findChanges, viewOf } from './changes.ts'
import type { Change } from './critic-markup.ts'

/** The reason a text is not valid markdown. Lines count from 1 and end at LF. */
export interface Fault {
  line: number
  reason: string
}

/** What closes a part that is open, and where it belongs in the text. */
export interface Closing {
  at: number
  text: string
}

interface FaultAt {
  at: number
  reason: string
  closing?: Closing
}

/**
 * Older versions accepted C1 control characters (U+0080 to U+009F). Documents that contain them must remain editable.
 */
export const NEVER_STORED = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/
const TOO_DEEP = 'Nesting is deeper than 100 levels.'

/**
 * Returns the first fault of a text, if any. Checks both readings of a text with pending changes. `fromStored` means
 * that the text derives from a stored one, which may contain characters that are no longer accepted.
 */
export function findFault(source: string, options: { fromStored?: boolean } = {}): Fault | undefined {
  const found = findClosableFault(source, options)
  return found && { line: found.line, reason: found.reason }
}

/** Like `findFault`, with what closes the part that is open. */
export function findClosableFault(
  source: string,
  { fromStored = false } = {},
): (Fault & { closing?: Closing }) | undefined {
  const character = findCharacterFault(source, fromStored ? NEVER_STORED : CONTROL)
  if (character) return character
  const changes = findChanges(source)
  const inSource = ({ at, reason, closing }: FaultAt, kept: Change['kind']) => ({
    ...faultAt(source, toSource(at, changes, kept), reason),
    ...(closing && { closing: { ...closing, at: toSource(closing.at, changes, kept) } }),
  })
  const rejected = structuralFault(viewOf(source, changes, 'deletion'))
  if (rejected) return inSource(rejected, 'deletion')
  if (changes.length === 0) return undefined
  const accepted = structuralFault(viewOf(source, changes, 'insertion'))
  return accepted && inSource(accepted, 'insertion')
}

/** Returns the first forbidden character. It is the only check that works on a fragment without its document. */
export function findCharacterFault(text: string, refused = CONTROL): Fault | undefined {
  const control = refused.exec(text)
  if (control) {
    const code = control[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')
    return faultAt(text, control.index, `Control character U+${code} is not allowed (only tab, LF and CR are).`)
  }
  if (text.isWellFormed()) return undefined
  return faultAt(text, LONE_SURROGATE.exec(text)?.index ?? 0, 'A surrogate stands without its partner.')
}

function faultAt(source: string, at: number, reason: string): Fault {
  let line = 1
  for (let lf = source.indexOf('\n'); lf >= 0 && lf < at; lf = source.indexOf('\n', lf + 1)) line++
  return { line, reason }
}

function toSource(viewAt: number, changes: Change[], kept: Change['kind']): number {
  let at = viewAt
  for (const change of changes) {
    if (change.from > at) break
    if (change.kind !== kept) at += change.to - change.from
    else at += at < change.from + change.text.length ? 3 : 6
  }
  return at
}

function structuralFault(text: string): FaultAt | undefined {
  const tree = readBlocks(text)
  if (tree.tooDeepAt !== undefined) return { at: tree.tooDeepAt, reason: TOO_DEEP }
  const html: HtmlState = { open: undefined }
  const fault = blockFault(tree.root, tree, html, text)
  if (fault) return fault
  const { open } = html
  return open && { at: open.at, reason: unclosed(open.what), closing: { at: open.until, text: open.closing } }
}

function unclosed(what: string): string {
  return `${what} that begins here is never closed.`
}

/** A line that belongs to the same containers as the first line of a block. */
function closingLine(source: string, block: Block, closing: string): Closing {
  const prefix = source.slice(source.lastIndexOf('\n', block.from - 1) + 1, block.from)
  return { at: block.to, text: `\n${prefix.replace(/[^>\t]/g, ' ')}${closing}` }
}

function blockFault(block: Block, tree: BlockTree, html: HtmlState, source: string): FaultAt | undefined {
  if (block.kind === 'fence' && !block.closed) {
    const marker = block.marker.repeat(block.size)
    const closing = closingLine(source, block, marker)
    return { at: block.from, reason: unclosed(`The code block (${marker})`), closing }
  }
  if (block.kind === 'html') {
    const text = block.lines.map((line) => line.text).join('\n')
    const at = block.lines[0]!.at
    const open = block.closed ? undefined : unclosedBlock(block, text)
    if (open) return { at, reason: unclosed(open.what), closing: closingLine(source, block, open.closing) }
    readHtml(html, text, at, block.to)
  }
  if (hasInline(block)) return inlineFault(block, tree, html)
  for (const child of block.children) {
    const fault = blockFault(child, tree, html, source)
    if (fault) return fault
  }
  return undefined
}

const COMMENT = { what: 'The HTML comment', closing: '-->' }
const element = (name: string) => ({ what: `The <${name}> element`, closing: `</${name}>` })

function unclosedBlock(block: Block, text: string): typeof COMMENT | undefined {
  if (block.size === 2) return COMMENT
  const name = block.size === 1 ? /^\s*<(script|style|textarea)/i.exec(text)?.[1] : undefined
  return name === undefined ? undefined : element(name.toLowerCase())
}

const RAW_TAG = /<\/?(?:script|style|textarea|title)/i
const DELIMITER = /[*_~[]/g
const TOO_MANY = 100

/** Skips leaves that cannot have a fault. A fault needs a raw-text element, or enough delimiters to nest too deep. */
function inlineFault(block: Block, tree: BlockTree, html: HtmlState): FaultAt | undefined {
  for (const leaf of leafTexts(block)) {
    const raw = RAW_TAG.test(leaf.text) || (html.open !== undefined && leaf.text.includes('<'))
    if (!raw && (leaf.text.length < TOO_MANY || (leaf.text.match(DELIMITER)?.length ?? 0) < TOO_MANY)) continue
    const nodes = readLeaf(leaf, tree)
    if (nodes[0]?.kind === 'tooDeep') return { at: nodes[0].from, reason: TOO_DEEP }
    const last = leaf.lines.at(-1)!
    readInlineHtml(html, nodes, last.at + last.text.trimEnd().length)
  }
  return undefined
}

function readInlineHtml(html: HtmlState, nodes: Inline[], until: number) {
  for (const node of nodes) {
    if (node.kind === 'html') readHtml(html, node.text, node.from, until)
    readInlineHtml(html, node.children, until)
  }
}

/**
 * The comment or raw-text element that the HTML so far leaves open. A browser treats everything after it as its
 * content.
 */
interface HtmlState {
  open: { what: string; closing: string; end: RegExp; at: number; until: number } | undefined
}

/** `until` is the end of the block that the HTML is in. */
function readHtml(html: HtmlState, text: string, at: number, until: number) {
  const start = /<!--(?!-?>)|<(script|style|textarea|title)(?=[\s/>])/gi
  for (let pos = 0; ; ) {
    if (html.open) {
      const end = html.open.end
      end.lastIndex = pos
      if (!end.test(text)) return
      pos = end.lastIndex
      html.open = undefined
    }
    start.lastIndex = pos
    const found = start.exec(text)
    if (!found) return
    const name = found[1]?.toLowerCase()
    const end = name ? new RegExp(`</${name}(?=[\\s/>])`, 'gi') : /-->/g
    html.open = { ...(name ? element(name) : COMMENT), end, at: at + found.index, until }
    pos = start.lastIndex
  }
}
