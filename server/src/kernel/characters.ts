import MarkdownIt, { type Token } from 'markdown-it'

const parser = new MarkdownIt({ html: true, linkify: false })

/**
 * The beginning of a markdown text as plain words on one line, at most `limit` characters including the ellipsis.
 * Only as much of the source is read as a text of that length can come from in practice.
 */
export function plainText(markdown: string, limit: number): string {
  // An embedded picture may be longer than all that is read, and its source is no text.
  const text = markdown.length > limit * 40 ? markdown.replace(/(\]\(\s*<?)data:[^)>\s]*/gi, '$1') : markdown
  const source = text.length > limit * 40 ? text.slice(0, limit * 40).toWellFormed() : text
  const words = parser.parse(source, {}).map(textOf).join(' ').replace(/\s+/g, ' ').trim()
  return cut(words, limit)
}

/** Cuts at a number of characters, the ellipsis counted. */
export function cut(text: string, limit: number): string {
  if (text.length <= limit) return text
  // No character has more than two units: the rest of a long text need not be taken apart.
  const start = text.slice(0, limit * 2)
  if (!/[\ud800-\udfff]/.test(start)) return `${start.slice(0, limit - 1).trimEnd()}…`
  const characters = [...start]
  return characters.length <= limit && text.length <= limit * 2
    ? text
    : `${characters
        .slice(0, limit - 1)
        .join('')
        .trimEnd()}…`
}

function textOf(token: Token): string {
  if (token.type === 'inline') return (token.children ?? []).map(inlineText).join('')
  if (token.type === 'html_block') return htmlText(token.content)
  return token.type === 'fence' || token.type === 'code_block' ? token.content : ''
}

function inlineText(token: Token): string {
  if (token.type === 'softbreak' || token.type === 'hardbreak') return ' '
  return token.type === 'html_inline' ? gapOf(token.content) : token.content
}

/** What stands between tags, its entities read. A tag that never ends is none of it. */
function htmlText(html: string): string {
  const words = html.replace(UNSEEN, ' ').replace(TAG, gapOf)
  return parser.parseInline(words, {}).map(textOf).join('')
}

const UNSEEN = /<!--.*?(?:-->|$)|<(script|style)\b.*?(?:<\/\1\s*>|$)|<[!?][^>]*(?:>|$)/gis
const TAG = /<\/?[a-z](?:"[^"]*"|'[^']*'|[^<>"'])*(?:>|$)/gi

/** What a tag leaves in the text: those that mark words within a line leave nothing, others part what they stand between. */
const gapOf = (tag: string) => (WITHIN_LINE.test(tag) ? '' : ' ')
const WITHIN_LINE =
  /^<(?:[!?]|\/?(?:a|abbr|b|bdi|bdo|cite|code|data|del|dfn|em|font|i|img|ins|kbd|label|mark|q|s|samp|small|span|strike|strong|sub|sup|time|tt|u|var|wbr)\b)/i
