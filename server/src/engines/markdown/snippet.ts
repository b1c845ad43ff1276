import { cut } from '../text/characters.ts'
import { type Block, isCode } from './read/block.ts'
import { type Inline, NO_CONTEXT } from './read/inline.ts'
import { hasInline, leafTexts, readLeaf } from './read/leaf-text.ts'
import { parseInline } from './read/parse-inline.ts'
import { type BlockTree, readBlocks } from './read/read-blocks.ts'

/** Markdown has more characters than it shows. The rest of a long text is not read. */
const READ_PER_CHARACTER = 10

/** The beginning of a markdown text as plain words on one line, at most `limit` characters including the ellipsis. */
export function snippetOf(markdown: string, limit: number): string {
  const tree = readBlocks(beginningOf(markdown, limit * READ_PER_CHARACTER))
  return cut(blockText(tree.root, tree).replace(/\s+/g, ' ').trim(), limit)
}

/** An embedded picture may be longer than all that is read, and its source is no text: it does not count. */
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

/** What stands between tags, its entities read. A tag that never ends is none of it. */
function htmlText(html: string): string {
  const words = html.replace(UNSEEN, ' ').replace(TAG, gapOf)
  return parseInline(words, NO_CONTEXT).map(inlineText).join('')
}

const UNSEEN = /<!--.*?(?:-->|$)|<(script|style)\b.*?(?:<\/\1\s*>|$)|<[!?][^>]*(?:>|$)/gis
const TAG = /<\/?[a-z](?:"[^"]*"|'[^']*'|[^<>"'])*(?:>|$)/gi

/** What a tag leaves in the text: those that mark words within a line leave nothing, others part what they stand between. */
const gapOf = (tag: string) => (WITHIN_LINE.test(tag) ? '' : ' ')
const WITHIN_LINE =
  /^<(?:[!?]|\/?(?:a|abbr|b|bdi|bdo|cite|code|data|del|dfn|em|font|i|img|ins|kbd|label|mark|q|s|samp|small|span|strike|strong|sub|sup|time|tt|u|var|wbr)\b)/i
