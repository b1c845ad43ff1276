import { type AttributeSpec, type MarkSpec, type NodeSpec, Schema } from 'prosemirror-model'

const attr = (value: unknown): AttributeSpec => ({ default: value })

/** Marks for tracked changes, on text and on whole blocks. The names are those of `prosemirror-suggest-changes`. */
const TRACKED = 'insertion deletion modification blockBoundarySuggestion'

const blocks = (content: string, more: NodeSpec = {}): NodeSpec => ({ content, marks: TRACKED, ...more })

/** A block that keeps its markdown and is shown unrendered. */
const verbatim = (attribute: string): NodeSpec => ({ group: 'block', atom: true, attrs: { [attribute]: attr('') } })

/**
 * Attributes such as `style`, `marker` and `delimiter` record how a node was written. They never change its meaning.
 */
export const nodes = {
  doc: blocks('block*'),
  paragraph: { content: 'inline*', group: 'block' },
  heading: { content: 'inline*', group: 'block', defining: true, attrs: { level: attr(1), style: attr('atx') } },
  blockquote: blocks('block*', { group: 'block', defining: true }),
  bullet_list: blocks('list_item+', { group: 'block', attrs: { marker: attr('-'), tight: attr(true) } }),
  ordered_list: blocks('list_item+', {
    group: 'block',
    attrs: { start: attr(1), delimiter: attr('.'), tight: attr(true) },
  }),
  /** `checked` is null unless the item is a task. */
  list_item: blocks('block*', { defining: true, attrs: { checked: attr(null) } }),
  code_block: {
    content: 'text*',
    marks: '',
    group: 'block',
    code: true,
    defining: true,
    attrs: { info: attr(''), fence: attr('`'), length: attr(3) },
  },
  indented_code: { content: 'text*', marks: '', group: 'block', code: true, defining: true },
  horizontal_rule: { group: 'block', attrs: { markup: attr('---') } },
  table: blocks('table_row+', { group: 'block', isolating: true }),
  table_row: blocks('(table_header | table_cell)+'),
  table_header: { content: 'inline*', isolating: true, attrs: { alignment: attr(null) } },
  table_cell: { content: 'inline*', isolating: true, attrs: { alignment: attr(null) } },
  html_block: verbatim('html'),
  link_definition: verbatim('source'),
  footnote_definition: blocks('block*', { group: 'block', defining: true, attrs: { label: attr('') } }),
  front_matter: verbatim('source'),
  /** Holds the markdown of anything that no other node can represent without loss. */
  opaque_block: verbatim('source'),
  text: { group: 'inline' },
  hard_break: { inline: true, group: 'inline', selectable: false, attrs: { style: attr('backslash') } },
  soft_break: { inline: true, group: 'inline', selectable: false },
  image: {
    inline: true,
    group: 'inline',
    draggable: true,
    attrs: { src: attr(''), alt: attr(''), title: attr(''), style: attr('inline'), label: attr('') },
  },
  html_inline: { inline: true, group: 'inline', atom: true, attrs: { html: attr('') } },
  footnote_reference: { inline: true, group: 'inline', atom: true, attrs: { label: attr('') } },
} satisfies Record<string, NodeSpec>

/** `depth` orders the marks on one text: the outermost has the lowest depth. */
const nested = (delimiter: string): MarkSpec => ({ attrs: { delimiter: attr(delimiter), depth: attr(0) } })

export const marks = {
  insertion: { inclusive: false, excludes: 'deletion modification insertion', attrs: { id: attr('') } },
  deletion: { inclusive: false, excludes: 'insertion modification deletion', attrs: { id: attr('') } },
  modification: {
    inclusive: false,
    excludes: 'deletion insertion',
    attrs: { id: attr(''), type: attr(''), attrName: attr(null), previousValue: attr(null), newValue: attr(null) },
  },
  blockBoundarySuggestion: {
    inclusive: false,
    attrs: { startId: attr(null), endId: attr(null), startType: attr(null), endType: attr(null) },
  },
  link: {
    inclusive: false,
    attrs: { href: attr(''), title: attr(''), style: attr('inline'), label: attr(''), depth: attr(0) },
  },
  em: nested('*'),
  strong: nested('*'),
  strike: nested('~~'),
  code: { code: true },
} satisfies Record<string, MarkSpec>

export const schema = new Schema<keyof typeof nodes, keyof typeof marks>({ nodes, marks })
