import { marks, nodes } from '@slipway/server/markdown'
import { type DOMOutputSpec, type MarkSpec, type NodeSpec, Schema } from 'prosemirror-model'
import { isSafeAddress } from '../lib/addresses.ts'

/**
 * The schema of the server, with what a browser needs to show and to paste it. Content, attributes and marks are the
 * server's own, so what one side writes the other reads without loss.
 */
type Dom<Spec extends NodeSpec | MarkSpec> = Pick<Spec, 'toDOM' | 'parseDOM'>

const element = (tag: string): Dom<NodeSpec> => ({ toDOM: () => [tag, 0], parseDOM: [{ tag }] })
const HEADINGS = [1, 2, 3, 4, 5, 6]

const verbatim = (kind: string, attribute: string): Dom<NodeSpec> => ({
  toDOM: ({ attrs }) => ['pre', { 'data-verbatim': kind }, String(attrs[attribute])] as DOMOutputSpec,
  parseDOM: [
    {
      tag: `pre[data-verbatim="${kind}"]`,
      priority: 60,
      getAttrs: (dom) => ({ [attribute]: dom.textContent ?? '' }),
    },
  ],
})

const cell = (tag: 'th' | 'td'): Dom<NodeSpec> => ({
  toDOM: ({ attrs }) => [tag, attrs.alignment ? { 'data-align': attrs.alignment } : {}, 0],
  parseDOM: [
    {
      tag,
      getAttrs: (dom) => ({
        alignment: dom.dataset.align || alignmentOf(dom.getAttribute('align') || dom.style.textAlign),
      }),
    },
  ],
})
const alignmentOf = (text: string) => (/^(left|center|right)$/.test(text) ? text : null)

const nodeDom: Record<Exclude<keyof typeof nodes, 'doc' | 'text'>, Dom<NodeSpec>> = {
  paragraph: element('p'),
  heading: {
    toDOM: ({ attrs }) => [`h${attrs.level}`, 0],
    parseDOM: HEADINGS.map((level) => ({ tag: `h${level}`, attrs: { level } })),
  },
  blockquote: element('blockquote'),
  bullet_list: {
    toDOM: ({ attrs }) => ['ul', { 'data-loose': attrs.tight ? null : '' }, 0],
    parseDOM: [{ tag: 'ul' }],
  },
  ordered_list: {
    toDOM: ({ attrs }) => ['ol', { start: attrs.start, 'data-loose': attrs.tight ? null : '' }, 0],
    parseDOM: [{ tag: 'ol', getAttrs: (dom) => ({ start: Number(dom.getAttribute('start') ?? 1) || 1 }) }],
  },
  list_item: {
    toDOM: ({ attrs }) => ['li', attrs.checked === null ? {} : { 'data-checked': String(attrs.checked) }, 0],
    parseDOM: [{ tag: 'li', getAttrs: (dom) => ({ checked: checkedOf(dom) }) }],
  },
  code_block: {
    toDOM: ({ attrs }) => ['pre', { 'data-info': attrs.info || null }, ['code', 0]],
    parseDOM: [
      { tag: 'pre', preserveWhitespace: 'full', getAttrs: (dom) => ({ info: dom.dataset.info ?? languageOf(dom) }) },
    ],
  },
  indented_code: { toDOM: () => ['pre', { 'data-indented': '' }, ['code', 0]] },
  horizontal_rule: { toDOM: () => ['hr'], parseDOM: [{ tag: 'hr' }] },
  table: { toDOM: () => ['div', { class: 'table' }, ['table', ['tbody', 0]]], parseDOM: [{ tag: 'table' }] },
  table_row: element('tr'),
  table_header: cell('th'),
  table_cell: cell('td'),
  html_block: verbatim('HTML', 'html'),
  link_definition: verbatim('Link definition', 'source'),
  footnote_definition: {
    toDOM: ({ attrs }) => ['aside', { 'data-footnote': attrs.label }, 0],
    parseDOM: [{ tag: 'aside[data-footnote]', getAttrs: (dom) => ({ label: dom.dataset.footnote ?? '' }) }],
  },
  front_matter: verbatim('Front matter', 'source'),
  opaque_block: verbatim('Markdown', 'source'),
  hard_break: { toDOM: () => ['br'], parseDOM: [{ tag: 'br' }] },
  // A line break in the source that is a space on the page.
  soft_break: { toDOM: () => ['span', { 'data-soft': '' }, ' '], parseDOM: [{ tag: 'span[data-soft]' }] },
  image: {
    toDOM: ({ attrs }) => ['img', { src: attrs.src, alt: attrs.alt, title: attrs.title || null }],
    parseDOM: [
      {
        tag: 'img[src]',
        getAttrs: (dom) => ({
          src: dom.getAttribute('src') ?? '',
          alt: dom.getAttribute('alt') ?? '',
          title: dom.getAttribute('title') ?? '',
        }),
      },
    ],
  },
  html_inline: {
    toDOM: ({ attrs }) =>
      (BREAK.test(attrs.html)
        ? ['br', { 'data-html': attrs.html }]
        : ['span', { 'data-html': '' }, String(attrs.html)]) as DOMOutputSpec,
    parseDOM: [
      { tag: 'br[data-html]', priority: 60, getAttrs: (dom) => ({ html: dom.dataset.html }) },
      { tag: 'span[data-html]', getAttrs: (dom) => ({ html: dom.textContent ?? '' }) },
    ],
  },
  footnote_reference: {
    toDOM: ({ attrs }) => ['sup', { 'data-note': attrs.label }, String(attrs.label)] as DOMOutputSpec,
    parseDOM: [{ tag: 'sup[data-note]', getAttrs: (dom) => ({ label: dom.dataset.note ?? '' }) }],
  },
}

function checkedOf(item: HTMLElement): boolean | null {
  if (item.dataset.checked) return item.dataset.checked === 'true'
  const box = item.querySelector(':scope > input[type=checkbox], :scope > p > input[type=checkbox]')
  return box instanceof HTMLInputElement ? box.checked : null
}

const languageOf = (pre: HTMLElement) =>
  /(?:^|\s)(?:language|lang|highlight-source)-([\w+#-]+)/.exec(
    `${pre.className} ${pre.firstElementChild?.className ?? ''} ${pre.parentElement?.className ?? ''}`,
  )?.[1] ?? ''

/** How a cell breaks its line. */
const BREAK = /^<br\s*\/?>$/i

const markDom: Record<keyof typeof marks, Dom<MarkSpec>> = {
  insertion: { toDOM: ({ attrs }) => ['ins', { 'data-change': attrs.id }, 0] },
  deletion: { toDOM: ({ attrs }) => ['del', { 'data-change': attrs.id }, 0] },
  modification: { toDOM: () => ['span', 0] },
  blockBoundarySuggestion: { toDOM: () => ['span', 0] },
  link: {
    toDOM: ({ attrs }) => [
      'a',
      { href: isSafeAddress(attrs.href) ? attrs.href : null, title: attrs.title || null, rel: 'noreferrer' },
      0,
    ],
    parseDOM: [
      {
        tag: 'a[href]',
        getAttrs: (dom) => ({ href: dom.getAttribute('href') ?? '', title: dom.getAttribute('title') ?? '' }),
      },
    ],
  },
  em: { toDOM: () => ['em', 0], parseDOM: [{ tag: 'em' }, { tag: 'i' }, { style: 'font-style=italic' }] },
  strong: {
    toDOM: () => ['strong', 0],
    parseDOM: [
      { tag: 'strong' },
      // What Google Docs wraps everything in.
      { tag: 'b', getAttrs: (dom) => dom.style.fontWeight !== 'normal' && null },
      { style: 'font-weight', getAttrs: (value) => /^(bold(er)?|[6-9]\d\d)$/.test(value) && null },
    ],
  },
  strike: { toDOM: () => ['s', 0], parseDOM: [{ tag: 's' }, { tag: 'strike' }, { tag: 'del' }] },
  code: { toDOM: () => ['code', 0], parseDOM: [{ tag: 'code' }] },
}

const withDom = <Specs extends Record<string, object>>(specs: Specs, dom: Record<string, object>): Specs =>
  Object.fromEntries(Object.entries(specs).map(([name, spec]) => [name, { ...spec, ...dom[name] }])) as Specs

export const schema = new Schema<keyof typeof nodes, keyof typeof marks>({
  nodes: withDom(nodes, nodeDom),
  marks: withDom(marks, markDom),
})
