import MarkdownIt, { type Token } from 'markdown-it'
import { type ReactNode, useMemo } from 'react'
import { isSafeAddress, leadsElsewhere } from './addresses.ts'
import css from './markdown.module.css'

const reader = new MarkdownIt({ html: false, linkify: true })
// Suggested changes of documents: {--deleted--} and {++inserted++}.
reader.inline.ruler.before('emphasis', 'suggestion', (state, silent) => {
  const found = /^\{(\+\+|--)([\s\S]*?)\1\}/.exec(state.src.slice(state.pos, state.posMax))
  if (!found) return false
  const [whole, sign, text] = found as unknown as [string, string, string]
  if (!silent) {
    const tag = sign === '++' ? 'ins' : 'del'
    state.push(`${tag}_open`, tag, 1)
    const inner: Token[] = []
    state.md.inline.parse(text, state.md, state.env, inner)
    state.tokens.push(...inner)
    state.push(`${tag}_close`, tag, -1)
  }
  state.pos += whole.length
  return true
})
const TAGS = new Set([
  ...['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'li', 'blockquote', 'strong', 'em', 's', 'ins', 'del'],
  ...['table', 'thead', 'tbody', 'tr', 'th', 'td'],
])

interface Frame {
  tag: string | undefined
  href: string | undefined
  children: ReactNode[]
}

/** The box at the start of a task. */
const BOX = /^\[([ xX])\]\s+/

interface Options {
  /** Called with the number of a task box, counted from the top, when it is ticked. */
  onTick?: ((index: number) => void) | undefined
}

/**
 * Builds elements, not HTML: nothing in a text can become markup, and the policy of the page needs no exception.
 */
function build(tokens: Token[], options: Options, boxes: { count: number }): ReactNode[] {
  const stack: Frame[] = [{ tag: undefined, href: undefined, children: [] }]
  for (const [key, token] of tokens.entries()) {
    const top = stack.at(-1)!
    if (token.nesting === 1) stack.push({ tag: token.tag, href: hrefOf(token), children: [] })
    else if (token.nesting === -1) {
      stack.pop()
      stack.at(-1)!.children.push(close(top, key))
    } else top.children.push(leaf(token, key, top, options, boxes))
  }
  return stack[0]!.children
}

const hrefOf = (token: Token) => {
  const href = token.attrGet('href')
  return href === null ? undefined : String(href)
}

function close({ tag, href, children }: Frame, key: number): ReactNode {
  if (tag === 'a') {
    const extra = href && leadsElsewhere(href) ? { target: '_blank', rel: 'noreferrer' } : {}
    return (
      <a key={key} href={href && isSafeAddress(href) ? href : undefined} {...extra}>
        {children}
      </a>
    )
  }
  const Tag = (tag && TAGS.has(tag) ? tag : 'span') as 'p'
  return <Tag key={key}>{children}</Tag>
}

function leaf(token: Token, key: number, top: Frame, options: Options, boxes: { count: number }): ReactNode {
  switch (token.type) {
    case 'inline':
      return inline(token, key, top, options, boxes)
    case 'code_inline':
      return <code key={key}>{token.content}</code>
    case 'fence':
    case 'code_block':
      return (
        <pre key={key}>
          <code>{token.content}</code>
        </pre>
      )
    case 'hr':
      return <hr key={key} />
    case 'hardbreak':
      return <br key={key} />
    case 'softbreak':
      return '\n'
    case 'image':
      return <em key={key}>{token.content || 'image'}</em>
    default:
      return token.content
  }
}

function inline(token: Token, key: number, top: Frame, options: Options, boxes: { count: number }): ReactNode {
  const children = token.children ?? []
  const first = children[0]
  const box = first?.type === 'text' && (top.tag === 'p' || top.tag === 'li') ? BOX.exec(first.content) : null
  if (!box || !first) return build(children, options, boxes)
  const index = boxes.count++
  first.content = first.content.slice(box[0].length)
  const checked = box[1] !== ' '
  const { onTick } = options
  return (
    <label key={key} className={css.task} data-checked={checked || undefined}>
      <input type="checkbox" checked={checked} disabled={!onTick} onChange={() => onTick?.(index)} />
      <span>{build(children, options, boxes)}</span>
    </label>
  )
}

export function Markdown({ text, onTick }: { text: string; onTick?: ((index: number) => void) | undefined }) {
  const shown = useMemo(() => build(reader.parse(text, {}), { onTick }, { count: 0 }), [text, onTick])
  return <div className={css.text}>{shown}</div>
}
