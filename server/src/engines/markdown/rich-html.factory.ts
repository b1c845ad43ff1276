import MarkdownIt from 'markdown-it'
import type { Mark, Node } from 'prosemirror-model'
import { unescapeText } from './read/entities.ts'
import { withoutEdgeSpaces } from './write/edge-spaces.ts'

/** An independent markdown parser for comparison. It accepts every address and does not link bare ones. */
export const markdownIt = new MarkdownIt({ html: true, xhtmlOut: true, maxNesting: 500 })
markdownIt.validateLink = () => true
const { escapeHtml } = markdownIt.utils

/**
 * Renders a rich document as the HTML that `markdownIt` writes. Tasks show their brackets because `markdownIt` lacks
 * them.
 */
export function richHtml(doc: Node): string {
  return blocks(doc)
}

function blocks(node: Node): string {
  return node.children.map((child) => block(child)).join('')
}

function block(node: Node): string {
  switch (node.type.name) {
    case 'paragraph':
      return `<p>${inlines(node)}</p>\n`
    case 'heading':
      return `<h${node.attrs.level}>${inlines(node)}</h${node.attrs.level}>\n`
    case 'blockquote':
      return `<blockquote>\n${blocks(node)}</blockquote>\n`
    case 'bullet_list':
      return `<ul>\n${items(node)}</ul>\n`
    case 'ordered_list':
      return `<ol${node.attrs.start === 1 ? '' : ` start="${node.attrs.start}"`}>\n${items(node)}</ol>\n`
    case 'code_block':
    case 'indented_code': {
      const language = unescapeText(String(node.attrs.info ?? '')).split(/\s+/)[0]
      const text = node.textContent === '' ? '' : `${node.textContent}\n`
      return `<pre><code${language ? ` class="language-${escapeHtml(language)}"` : ''}>${escapeHtml(text)}</code></pre>\n`
    }
    case 'horizontal_rule':
      return '<hr />\n'
    case 'html_block':
      return `${node.attrs.html}\n`
    case 'table':
      return table(node)
    case 'opaque_block':
      return markdownIt.render(String(node.attrs.source))
    default:
      return ''
  }
}

function items(list: Node): string {
  return list.children
    .map((item) => {
      const task = item.attrs.checked === null ? '' : item.attrs.checked ? '[x] ' : '[ ] '
      let html = ''
      item.children.forEach((child, at) => {
        const tight = list.attrs.tight && child.type.name === 'paragraph'
        const text = tight
          ? inlines(child) + (at < item.childCount - 1 ? '\n' : '')
          : (at === 0 ? '\n' : '') + block(child)
        html += at === 0 ? text.replace(/^(\n<p>)?/, `$1${task}`) : text
      })
      return `<li>${html}</li>\n`
    })
    .join('')
}

function table(node: Node): string {
  const rows = node.children.map((row, at) => {
    const tag = at === 0 ? 'th' : 'td'
    const cells = row.children.map((cell) => {
      const style = cell.attrs.alignment ? ` style="text-align:${cell.attrs.alignment}"` : ''
      return `<${tag}${style}>${inlines(cell)}</${tag}>\n`
    })
    return `<tr>\n${cells.join('')}</tr>\n`
  })
  const body = rows.length > 1 ? `<tbody>\n${rows.slice(1).join('')}</tbody>\n` : ''
  return `<table>\n<thead>\n${rows[0]}</thead>\n${body}</table>\n`
}

const TAGS: Record<string, string> = { em: 'em', strong: 'strong', strike: 's' }

function inlines(node: Node): string {
  let html = ''
  let open: Mark[] = []
  const close = (marks: Mark[]) => {
    for (const mark of [...marks].reverse()) html += mark.type.name === 'link' ? '</a>' : `</${TAGS[mark.type.name]}>`
  }
  for (const child of withoutEdgeSpaces(node.content)) {
    const marks = child.marks
      .filter(({ type, attrs }) => TAGS[type.name] || (type.name === 'link' && attrs.style !== 'literal'))
      .sort((a, b) => a.attrs.depth - b.attrs.depth)
    let kept = 0
    while (kept < open.length && marks.some((mark) => mark.eq(open[kept]!))) kept++
    close(open.slice(kept))
    const fresh = marks.filter((mark) => !open.slice(0, kept).some((other) => other.eq(mark)))
    for (const mark of fresh) html += mark.type.name === 'link' ? link(mark) : `<${TAGS[mark.type.name]}>`
    open = [...open.slice(0, kept), ...fresh]
    html += leaf(child)
  }
  close(open)
  return html
}

function link({ attrs }: Mark): string {
  const title = attrs.title ? ` title="${escapeHtml(attrs.title)}"` : ''
  return `<a href="${escapeHtml(markdownIt.normalizeLink(attrs.href))}"${title}>`
}

function leaf(node: Node): string {
  const { attrs } = node
  switch (node.type.name) {
    case 'text': {
      const text = escapeHtml(node.text!)
      return node.marks.some((mark) => mark.type.name === 'code') ? `<code>${text}</code>` : text
    }
    case 'soft_break':
      return '\n'
    case 'hard_break':
      return '<br />\n'
    case 'image': {
      const title = attrs.title ? ` title="${escapeHtml(attrs.title)}"` : ''
      return `<img src="${escapeHtml(markdownIt.normalizeLink(attrs.src))}" alt="${escapeHtml(attrs.alt)}"${title} />`
    }
    default:
      return String(attrs.html ?? '')
  }
}

/** True if no block of the document had to keep its markdown. */
export function isCarried(doc: Node): boolean {
  let carried = true
  doc.descendants((node) => {
    if (node.type.name === 'opaque_block') carried = false
  })
  return carried
}

/** Removes insignificant line breaks between tags. */
export function joined(html: string): string {
  return html.replaceAll('>\n<', '><')
}
