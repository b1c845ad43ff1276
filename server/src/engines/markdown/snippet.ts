import { cut } from '../text/characters.ts'
import { type Block, isCode } from './read/block.ts'
import { type Inline, NO_CONTEXT } from './read/inline.ts'
import { hasInline, leafTexts, readLeaf } from './read/leaf-text.ts'
import { parseInline } from './read/parse-inline.ts'
import { type BlockTree, readBlocks } from './read/read-blocks.ts'

/** How many characters of markdown are read per character of the snippet. The rest of a long text is not read. */
const READ_PER_CHARACTER = 10

/**
 * Returns the start of a markdown text as plain words on one line, at most `limit` characters including the ellipsis.
 */
export function snippetOf(markdown: string, limit: number): string {
  const tree = readBlocks(beginningOf(markdown, limit * READ_PER_CHARACTER))
  let words = ''
  for (const block of tree.root.children) {
    words = `${words} ${blockText(block, tree)}`.replace(/\s+/g, ' ').trim()
    // A character may have two units. What follows would be cut off.
    if (words.length > 2 * limit) break
  }
  return cut(words, limit)
}

/** Cuts a text after `length` characters. Does not count embedded images, which can be longer than that. */
export function beginningOf(markdown: string, length: number): string {
  if (markdown.length <= length) return markdown
  return markdown
    .replace(/(\]\(\s*<?)data:[^)>\s]*/gi, '$1')
    .slice(0, length)
    .toWellFormed()
}

function blockText(block: Block, tree: BlockTree): string {
  if (hasInline(block)) {
    return leafTexts(block)
      .map((leaf) => readLeaf(leaf, tree).map(inlineText).join(''))
      .join(' ')
  }
  const lines = block.lines.map((line) => line.text).join('\n')
  if (isCode(block)) return lines
  if (block.kind === 'html') return htmlText(lines)
  return block.children.map((child) => blockText(child, tree)).join(' ')
}

function inlineText(node: Inline): string {
  if (node.kind === 'soft' || node.kind === 'hard') return ' '
  if (node.kind === 'html') return gapOf(node.text)
  return node.kind === 'footnote' ? '' : node.text + node.children.map(inlineText).join('')
}

/** Returns the text between tags with its entities decoded. Drops a tag that never ends. */
function htmlText(html: string): string {
  const words = html.replace(UNSEEN, ' ').replace(TAG, gapOf)
  return parseInline(words, NO_CONTEXT).map(inlineText).join('')
}

const UNSEEN = /<!--.*?(?:-->|$)|<(script|style)\b.*?(?:<\/\1\s*>|$)|<[!?][^>]*(?:>|$)/gis
const TAG = /<\/?[a-z](?:"[^"]*"|'[^']*'|[^<>"'])*(?:>|$)/gi

/** Returns the text that replaces a tag: nothing for inline elements, a space for others. */
const gapOf = (tag: string) => (WITHIN_LINE.test(tag) ? '' : ' ')
const WITHIN_LINE =
  /^<(?:[!?]|\/?(?:a|abbr|b|bdi|bdo|cite|code|data|del|dfn|em|font|i|img|ins|kbd|label|mark|q|s|samp|small|span|strike|strong|sub|sup|time|tt|u|var|wbr)\b)/i
