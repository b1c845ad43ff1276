import {
  type Block,
  type BlockTree,
  cellText,
  findChanges,
  type Inline,
  type LeafText,
  type Line,
  leafText,
  readBlocks,
  readLeaf,
  splitRow,
  type TrackedRange,
  tableAlignment,
} from '@slipway/server/markdown/reading'
import { cloneElement, createElement, isValidElement, type ReactNode, useMemo } from 'react'
import { isSafeAddress, leadsElsewhere, ownPath } from '../lib/addresses.ts'
import { CodeText } from '../lib/CodeText.tsx'
import '../lib/callouts.css'
import { readCallout } from '../lib/callouts.ts'
import { cx } from '../lib/cx.ts'
import { type Details, pairDetails, readDetails } from '../lib/details.ts'
import { readAlt } from '../lib/picture-size.ts'
import css from './Markdown.module.css'

const PAIRS = { em: 'em', strong: 'strong', strike: 's', insertion: 'ins', deletion: 'del' } as const
/** The box at the start of a task. */
const BOX = /^\[([ xX])\](?:[ \t]+|$)/

interface Shown {
  text: string
  tree: BlockTree
  /** Suggested changes, in order. Those before `next` end before the block that is built. */
  changes: TrackedRange[]
  next: number
  /** Whether blocks name their places in the text (`data-from`). */
  isPlaced?: boolean
  /** Called with the place of a task's mark in the text when its box is ticked. */
  onTick: ((at: number) => void) | undefined
  drawLink?: DrawLink | undefined
}

/** Draws a link in another way. Returns undefined for one that stays as it is. */
export type DrawLink = (href: string, children: ReactNode[], key: number) => ReactNode | undefined

/**
 * Builds elements, not HTML: nothing in a text can become markup, and the policy of the page needs no exception.
 */
function blocks(all: Block[], shown: Shown): ReactNode[] {
  const found = all.map(({ kind, from, to }) => (kind === 'html' ? readDetails(shown.text.slice(from, to)) : undefined))
  const pairs = pairDetails(found.map((one) => one?.end))
  const build = (from: number, to: number): ReactNode[] => {
    const built: ReactNode[] = []
    for (let at = from; at < to; at++) {
      const end = pairs.get(at)
      const { from: place } = all[at]!
      const node =
        end !== undefined
          ? details(found[at]!, at, build(at + 1, end))
          : found[at]?.end === 'both'
            ? details(found[at]!, at, [])
            : element(all[at]!, at, shown)
      built.push(shown.isPlaced && isValidElement(node) ? cloneElement(node, { 'data-from': place } as object) : node)
      at = end ?? at
    }
    return built
  }
  return build(0, all.length)
}

const details = ({ isOpen, summary, rest }: Details, key: number, children: ReactNode[]) => (
  <details key={key} open={isOpen}>
    <summary>{summary || 'Details'}</summary>
    {rest && <p>{rest}</p>}
    {children}
  </details>
)

function element(block: Block, key: number, shown: Shown): ReactNode {
  switch (block.kind) {
    case 'paragraph':
      return <p key={key}>{leaf(leafText(block.lines), shown)}</p>
    case 'heading':
      return createElement(`h${block.size}`, { key }, leaf(leafText(block.lines), shown))
    case 'quote':
      return quote(block, key, shown)
    case 'list':
      return list(block, key, shown)
    case 'fence':
    case 'indented':
      return (
        <pre key={key}>
          <code>
            <CodeText text={`${verbatim(block.lines)}\n`} language={languageOf(block)} />
          </code>
        </pre>
      )
    case 'rule':
      return <hr key={key} />
    case 'table':
      return table(block, key, shown)
    case 'footnote':
      return (
        <div key={key}>
          [^{block.marker}]: {blocks(block.children, shown)}
        </div>
      )
    case 'html':
    case 'frontMatter':
      return <p key={key}>{shown.text.slice(block.from, block.to)}</p>
    // Definitions of links are used where the links are.
    default:
      return null
  }
}

function quote({ children }: Block, key: number, shown: Shown): ReactNode {
  const [first, ...others] = children
  const callout = first?.kind === 'paragraph' ? readCallout(first.lines[0]!.text) : undefined
  if (!callout) return <blockquote key={key}>{blocks(children, shown)}</blockquote>
  const lines = first!.lines.slice(1)
  return (
    <blockquote key={key} data-callout={callout}>
      <strong>{callout}</strong>
      {lines.length > 0 && <p>{leaf(leafText(lines), shown)}</p>}
      {blocks(others, shown)}
    </blockquote>
  )
}

const languageOf = ({ detail }: Block) => /^[\w+#-]*/.exec(detail)![0].toLowerCase()
const verbatim = (lines: Line[]) => lines.map(({ text }) => text).join('\n')

function list(block: Block, key: number, shown: Shown): ReactNode {
  const items = block.children.map((child) => <li key={child.from}>{item(child, shown)}</li>)
  return block.detail === '' ? (
    <ul key={key}>{items}</ul>
  ) : (
    <ol key={key} start={block.size}>
      {items}
    </ol>
  )
}

function item({ children }: Block, shown: Shown): ReactNode {
  const [first, ...others] = children
  const box = first?.kind === 'paragraph' ? BOX.exec(first.lines[0]!.text) : null
  if (!box) return blocks(children, shown)
  const [line, ...more] = first!.lines
  const rest = { text: line!.text.slice(box[0].length), at: line!.at + box[0].length }
  const checked = box[1] !== ' '
  const { onTick } = shown
  return (
    <>
      <p>
        <label className={css.task} data-checked={checked || undefined}>
          <input type="checkbox" checked={checked} disabled={!onTick} onChange={() => onTick?.(line!.at + 1)} />
          <span>{leaf(leafText([rest, ...more]), shown)}</span>
        </label>
      </p>
      {blocks(others, shown)}
    </>
  )
}

function table({ lines }: Block, key: number, shown: Shown): ReactNode {
  const [header, delimiters, ...rows] = lines
  const columns = tableAlignment(header!.text, delimiters!.text)
  const row = (line: Line, Cell: 'th' | 'td') => (
    <tr key={line.at}>
      {splitRow(line.text)
        .slice(0, columns?.length)
        .map(({ text, from }, at) => (
          <Cell key={from} data-align={columns?.[at] ?? undefined}>
            {leaf(cellText(text, line.at + from), shown)}
          </Cell>
        ))}
    </tr>
  )
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide one scrolls, also by the keyboard.
    <table key={key} tabIndex={0}>
      <thead>{row(header!, 'th')}</thead>
      <tbody>{rows.map((line) => row(line, 'td'))}</tbody>
    </table>
  )
}

/** Leaves come in the order of the text, so each change is looked at once. */
function leaf(text: LeafText, shown: Shown): ReactNode[] {
  const { changes } = shown
  const [first, last] = [text.lines[0]!, text.lines.at(-1)!]
  while (shown.next < changes.length && changes[shown.next]!.from < first.at) shown.next++
  const from = shown.next
  while (shown.next < changes.length && changes[shown.next]!.from < last.at + last.text.length) shown.next++
  return inlines(readLeaf(text, shown.tree, changes.slice(from, shown.next)), shown.drawLink)
}

/** Texts side by side become one, so that a page of stray brackets is not a thousand pieces. */
function inlines(nodes: Inline[], draw: DrawLink | undefined): ReactNode[] {
  const built: ReactNode[] = []
  for (const [key, node] of nodes.entries()) {
    const next = inline(node, key, draw)
    const last = built.length - 1
    if (typeof next === 'string' && typeof built[last] === 'string') built[last] += next
    else built.push(next)
  }
  return built
}

function inline(node: Inline, key: number, draw: DrawLink | undefined): ReactNode {
  const { kind, text, href, children } = node
  switch (kind) {
    case 'code':
      return <code key={key}>{text}</code>
    case 'hard':
      return <br key={key} />
    case 'soft':
      return '\n'
    case 'footnote':
      return `[^${text}]`
    case 'image':
      return picture(node, key)
    case 'link':
      return link(href, inlines(children, draw), key, draw)
    case 'autolink':
      return link(href, [text], key, draw)
    case 'text':
    case 'html':
    case 'tooDeep':
      return text
    default:
      return createElement(PAIRS[kind], { key }, inlines(children, draw))
  }
}

function link(href: string, children: ReactNode[], key: number, draw: DrawLink | undefined): ReactNode {
  const drawn = draw?.(href, children, key)
  if (drawn !== undefined) return drawn
  const extra = leadsElsewhere(href) ? { target: '_blank', rel: 'noreferrer' } : {}
  return (
    <a key={key} href={isSafeAddress(href) ? href : undefined} {...extra}>
      {children}
    </a>
  )
}

/** Pictures of other sites stay words: loading one would tell that site who reads the text. */
function picture({ href, title, children }: Inline, key: number): ReactNode {
  const src = ownPath(href)
  const { alt, width } = readAlt(plain(children))
  if (!src) return <em key={key}>{alt || 'image'}</em>
  const image = <img key={key} src={src} alt={alt} width={width} loading="lazy" />
  if (!title) return image
  return (
    <span key={key} className={css.captioned}>
      {image}
      <small>{title}</small>
    </span>
  )
}

const plain = (nodes: Inline[]): string => nodes.map(({ text, children }) => text + plain(children)).join('')

interface Options extends Partial<Pick<Shown, 'onTick' | 'isPlaced' | 'drawLink'>> {
  /** The document of which the text is a part. It has the definitions of links. */
  within?: BlockTree
}

export function buildMarkdown(text: string, { within, onTick, isPlaced = false, drawLink }: Options = {}): ReactNode[] {
  const own = readBlocks(text)
  const tree = within ? { ...own, references: within.references, footnotes: within.footnotes } : own
  const changes = findChanges(text).map(({ kind, from, to }) => ({ kind, from, to, id: '' }))
  return blocks(tree.root.children, { text, tree, changes, next: 0, onTick, isPlaced, drawLink })
}

/** For what surrounds elements that `buildMarkdown` made: draws callouts and details. */
export const frames = css.frames!

/** Takes time in proportion to the length of the text, whatever it contains. */
export function Markdown({ text, onTick, drawLink }: { text: string } & Partial<Pick<Shown, 'onTick' | 'drawLink'>>) {
  const shown = useMemo(() => buildMarkdown(text, { onTick, drawLink }), [text, onTick, drawLink])
  return <div className={cx(css.text, frames)}>{shown}</div>
}
