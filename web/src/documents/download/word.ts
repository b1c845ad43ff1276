import {
  AlignmentType,
  BorderStyle,
  Document,
  type FileChild,
  HeadingLevel,
  type INumberingOptions,
  type IParagraphOptions,
  LevelFormat,
  Packer,
  Paragraph,
  ShadingType,
  Table,
  TableCell,
  TableRow,
  TextRun,
  WidthType,
} from 'docx'
import type { Node } from 'prosemirror-model'
import { blocksOf } from '../../editor/markdown.ts'
import { loadPicture, type Pictures, piecesOf } from './word-text.ts'

const HEADINGS = [
  HeadingLevel.HEADING_1,
  HeadingLevel.HEADING_2,
  HeadingLevel.HEADING_3,
  HeadingLevel.HEADING_4,
  HeadingLevel.HEADING_5,
  HeadingLevel.HEADING_6,
] as const
/** Twentieths of a point. */
const INDENT = 360
const LEVELS = [0, 1, 2, 3, 4, 5, 6, 7, 8]
const GRAY = 'F2F2F4'

type List = INumberingOptions['config'][number]

interface Writing {
  pictures: Pictures
  /** Every list counts for itself. */
  lists: List[]
}

interface Place {
  indent: number
  /** The list that the next paragraph begins an item of. */
  item?: { reference: string; level: number; box: string } | undefined
}

const listOf = (reference: string, ordered: Node | undefined): List => ({
  reference,
  levels: LEVELS.map((level) => ({
    level,
    format: ordered ? LevelFormat.DECIMAL : LevelFormat.BULLET,
    text: ordered ? `%${level + 1}.` : '•',
    start: ordered ? Number(ordered.attrs.start) : 1,
    alignment: AlignmentType.LEFT,
    style: { paragraph: { indent: { left: INDENT * (level + 1), hanging: INDENT } } },
  })),
})

/** A paragraph of the place: the first of an item has its bullet, the others stand below its text. */
function paragraph(options: IParagraphOptions, place: Place, children: IParagraphOptions['children'] = []): Paragraph {
  const { item } = place
  place.item = undefined
  if (!item) return new Paragraph({ ...options, indent: { left: place.indent * INDENT }, children })
  const { reference, level, box } = item
  const boxed = box ? [new TextRun(box), ...children] : children
  return new Paragraph({ ...options, numbering: { reference, level }, children: boxed })
}

const code = (text: string, place: Place) =>
  paragraph(
    { shading: { type: ShadingType.CLEAR, fill: GRAY }, spacing: { after: 160 } },
    place,
    text
      .split('\n')
      .map((line, at) => new TextRun({ text: line, font: 'Consolas', size: 19, ...(at > 0 && { break: 1 }) })),
  )

function write(node: Node, place: Place, writing: Writing): FileChild[] {
  const inner = (children: readonly Node[], more: Place) => children.flatMap((one) => write(one, more, writing))
  switch (node.type.name) {
    case 'paragraph':
      return [paragraph({ spacing: { after: 140 } }, place, piecesOf(node, writing.pictures))]
    case 'heading':
      return [paragraph({ heading: HEADINGS[node.attrs.level - 1]! }, place, piecesOf(node, writing.pictures))]
    case 'blockquote':
    case 'footnote_definition':
      return inner(node.children, { indent: place.indent + 1 })
    case 'bullet_list':
    case 'ordered_list':
      return writeList(node, place, writing)
    case 'table':
      return [writeTable(node, writing), new Paragraph({})]
    case 'horizontal_rule':
      return [paragraph({ border: { bottom: { style: BorderStyle.SINGLE, size: 6, color: 'BBBBBB' } } }, place)]
    default:
      return [code(node.isTextblock ? node.textContent : String(node.attrs.html ?? node.attrs.source ?? ''), place)]
  }
}

function writeList(list: Node, place: Place, writing: Writing): FileChild[] {
  const reference = `list-${writing.lists.length}`
  writing.lists.push(listOf(reference, list.type.name === 'ordered_list' ? list : undefined))
  const level = Math.min(place.indent, LEVELS.length - 1)
  return list.children.flatMap((item) => {
    const { checked } = item.attrs
    const box = checked === null ? '' : checked ? '☑ ' : '☐ '
    const inside: Place = { indent: level + 1, item: { reference, level, box } }
    const written = item.children.flatMap((child) => write(child, inside, writing))
    return inside.item ? [paragraph({}, inside), ...written] : written
  })
}

function writeTable(table: Node, { pictures }: Writing): Table {
  return new Table({
    width: { size: 100, type: WidthType.PERCENTAGE },
    rows: table.children.map(
      (row, at) =>
        new TableRow({
          tableHeader: at === 0,
          children: row.children.map(
            (cell) =>
              new TableCell({
                ...(at === 0 && { shading: { type: ShadingType.CLEAR, fill: GRAY } }),
                children: [
                  new Paragraph({
                    alignment: (cell.attrs.alignment as 'left' | 'center' | 'right' | null) ?? AlignmentType.LEFT,
                    children: piecesOf(cell, pictures),
                  }),
                ],
              }),
          ),
        }),
    ),
  })
}

/** A document as Word reads it. What Word has no form for, such as HTML and diagrams, stays its source. */
export async function writeWord(title: string, markdown: string): Promise<Blob> {
  const blocks = blocksOf(markdown)
  const pictures: Pictures = new Map()
  for (const block of blocks)
    block.descendants((node) => {
      if (node.type.name === 'image') pictures.set(node.attrs.src, undefined)
    })
  await Promise.all([...pictures.keys()].map(async (src) => pictures.set(src, await loadPicture(src))))
  const writing: Writing = { pictures, lists: [] }
  const children = blocks.flatMap((block) => write(block, { indent: 0 }, writing))
  const heading = new Paragraph({ heading: HeadingLevel.TITLE, children: [new TextRun(title)] })
  const document = new Document({
    title,
    numbering: { config: writing.lists },
    sections: [{ children: [heading, ...children] }],
  })
  return Packer.toBlob(document)
}
