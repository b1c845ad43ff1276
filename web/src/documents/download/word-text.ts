import {
  DeletedTextRun,
  ExternalHyperlink,
  ImageRun,
  InsertedTextRun,
  type IRunOptions,
  type ParagraphChild,
  TextRun,
} from 'docx'
import type { Mark, Node } from 'prosemirror-model'
import { isSafeAddress, ownPath } from '../../lib/addresses.ts'
import { readAlt } from '../../lib/picture-size.ts'

/** What a page of Word has room for. */
const MAX_WIDTH_PX = 600
const CODE_FONT = 'Consolas'

export interface Picture {
  type: 'png' | 'jpg' | 'gif' | 'bmp'
  data: ArrayBuffer
  width: number
  height: number
}

/** Loads a picture of this server. Undefined for those of other sites, and for kinds that Word does not show. */
export async function loadPicture(src: string): Promise<Picture | undefined> {
  const path = ownPath(src)
  const response = path === undefined ? undefined : await fetch(path).catch(() => undefined)
  if (!response?.ok) return undefined
  const blob = await response.blob()
  const type = /^image\/(png|jpeg|gif|bmp)/.exec(blob.type)?.[1]
  const size = type && (await createImageBitmap(blob).catch(() => undefined))
  if (!type || !size) return undefined
  const { width, height } = size
  return { type: type === 'jpeg' ? 'jpg' : (type as 'png'), data: await blob.arrayBuffer(), width, height }
}

export type Pictures = Map<string, Picture | undefined>

const has = (marks: readonly Mark[], name: string) => marks.some(({ type }) => type.name === name)

/** The pieces of a line. Pending suggestions are tracked changes of Word. */
export function piecesOf(line: Node, pictures: Pictures): ParagraphChild[] {
  return line.children.map((node) => {
    const link = node.marks.find(({ type }) => type.name === 'link')
    const piece = pieceOf(node, pictures, link !== undefined)
    if (!link || !isSafeAddress(link.attrs.href)) return piece
    return new ExternalHyperlink({ link: new URL(link.attrs.href, location.href).href, children: [piece] })
  })
}

let changes = 0

function pieceOf(node: Node, pictures: Pictures, isLink: boolean): ParagraphChild {
  const { marks, attrs } = node
  const picture = node.type.name === 'image' ? pictures.get(attrs.src) : undefined
  if (picture) return pictureRun(picture, readAlt(attrs.alt))
  const isBreak = node.type.name === 'hard_break' || /^<br\s*\/?>$/i.test(attrs.html ?? '')
  const options: IRunOptions = {
    ...(isBreak ? { break: 1 } : { text: wordsOf(node) }),
    bold: has(marks, 'strong'),
    italics: has(marks, 'em'),
    strike: has(marks, 'strike'),
    ...(has(marks, 'code') && { font: CODE_FONT }),
    ...(isLink && { style: 'Hyperlink' }),
  }
  const change = { ...options, id: ++changes, author: 'Slipway', date: new Date().toISOString() }
  if (has(marks, 'insertion')) return new InsertedTextRun(change)
  return has(marks, 'deletion') ? new DeletedTextRun(change) : new TextRun(options)
}

function wordsOf({ type, text, attrs }: Node): string {
  if (type.name === 'image') return `[${readAlt(attrs.alt).alt || 'image'}]`
  if (type.name === 'footnote_reference') return `[${attrs.label}]`
  return text ?? (type.name === 'soft_break' ? ' ' : String(attrs.html ?? ''))
}

function pictureRun(
  { type, data, width, height }: Picture,
  shown: { alt: string; width: number | undefined },
): ImageRun {
  const wide = Math.min(shown.width ?? width, MAX_WIDTH_PX)
  return new ImageRun({
    type,
    data,
    transformation: { width: wide, height: Math.max(1, Math.round((height * wide) / width)) },
    altText: { name: shown.alt || 'image', description: shown.alt, title: shown.alt },
  })
}
