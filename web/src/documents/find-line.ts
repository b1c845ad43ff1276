import { parseMarkdown } from '@slipway/server/markdown'

const essence = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')

/** The number of the block that a line of a text belongs to, and what stands on the line. */
export interface LineInBlock {
  block: number
  text: string
}

/** Counts the top-level blocks. */
export function blockAtLine(markdown: string, line: number): LineInBlock {
  const lines = markdown.split('\n')
  let offset = 0
  for (let at = 0; at < line - 1 && at < lines.length; at++) offset += lines[at]!.length + 1
  const { blocks } = parseMarkdown(markdown)
  const block = Math.max(
    0,
    blocks.findLastIndex(({ from }) => from <= offset),
  )
  return { block, text: lines[line - 1] ?? '' }
}

/** The smallest element that shows the line: its block, or the paragraph, item or row in it. */
export function elementOfLine(
  blocks: (HTMLElement | undefined)[],
  { block, text }: LineInBlock,
): HTMLElement | undefined {
  const wanted = essence(text)
  const has = (element: HTMLElement | undefined): element is HTMLElement =>
    element !== undefined && wanted !== '' && essence(element.textContent ?? '').includes(wanted)
  // Someone may have written above it since.
  const outer = has(blocks[block]) ? blocks[block] : (blocks.find(has) ?? blocks[block])
  if (!outer || wanted === '') return outer
  const inner = [...outer.querySelectorAll<HTMLElement>('li, tr, p, h1, h2, h3, h4, h5, h6')].filter(has)
  return inner.find((one) => !inner.some((other) => other !== one && one.contains(other))) ?? outer
}
