import type { Definition } from './definitions.ts'

export type PairKind = 'em' | 'strong' | 'strike' | 'link' | 'image' | 'insertion' | 'deletion'
/** `tooDeep` replaces a whole text whose formatting nests deeper than allowed. */
export type AtomKind = 'text' | 'code' | 'html' | 'autolink' | 'soft' | 'hard' | 'footnote' | 'tooDeep'

/** The notation of a link or image: inline, by reference, or as a bare or bracketed address. */
export type LinkStyle = 'inline' | 'full' | 'collapsed' | 'shortcut' | 'autolink' | 'literal'

/** A piece of inline content. Its offsets refer to the text it was read from. */
export interface Inline {
  kind: PairKind | AtomKind
  from: number
  to: number
  innerFrom: number
  innerTo: number
  children: Inline[]
  /** The characters of a text, the content of a code span, the label of a footnote or the HTML as written. */
  text: string
  href: string
  title: string
  style: LinkStyle
  /** The reference label of a link as written, or the id of a tracked change. */
  label: string
}

export interface TrackedRange {
  kind: 'insertion' | 'deletion'
  from: number
  to: number
  id: string
}

export interface InlineContext {
  references: Map<string, Definition>
  footnotes: Set<string>
  /** Tracked changes that lie entirely within the text, in order. */
  changes: TrackedRange[]
  inTable: boolean
}

export const NO_CONTEXT: InlineContext = { references: new Map(), footnotes: new Set(), changes: [], inTable: false }

export function inline(kind: Inline['kind'], from: number, to: number, fields: Partial<Inline> = {}): Inline {
  return {
    kind,
    from,
    to,
    innerFrom: from,
    innerTo: to,
    children: [],
    text: '',
    href: '',
    title: '',
    style: 'inline',
    label: '',
    ...fields,
  }
}

/** Returns the visible characters, as used for the description of an image. */
export function plainText(nodes: Inline[]): string {
  let text = ''
  for (const node of nodes) {
    if (node.kind === 'soft' || node.kind === 'hard') text += '\n'
    else if (node.kind !== 'html' && node.kind !== 'footnote') text += node.text + plainText(node.children)
  }
  return text
}
