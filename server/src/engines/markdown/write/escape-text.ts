/**
 * How much text is escaped. `none` escapes nothing, `light` what almost always has a meaning in markdown, `full`
 * everything that can have one, and `strict` also writes letters next to delimiters as character references, so every
 * delimiter binds.
 */
export type Care = 'none' | 'light' | 'full' | 'strict'

export const CARE: Care[] = ['none', 'light', 'full', 'strict']

const LIGHT = /[\\`*]|_|<(?=[A-Za-z/!?])|&(?=#?\w+;)|~~|\]\(|\{(?=\+\+|--)|(?<=\+\+|--)\}|!\[/g
const FULL = /[\\`*_~[\]<&!{}|]|:(?=\/\/)|@|\.(?=\S)/g
const WORD = /[\p{L}\p{N}]/u

/** Escapes text in the middle of a line. */
export function escapeText(text: string, care: Care): string {
  const written =
    care === 'none' ? text : care === 'light' ? escapeLightly(text) : text.replaceAll(FULL, (found) => `\\${found}`)
  return written.replaceAll(/[\n\r\f\v]/g, (char) => reference(char))
}

function escapeLightly(text: string): string {
  return text.replaceAll(LIGHT, (found, at: number) => {
    const before = text[at - 1] ?? ' '
    const after = text[at + found.length] ?? ' '
    if (found === '_' && WORD.test(before) && WORD.test(after)) return found
    if (found === '*' && before === ' ' && after === ' ') return found
    if (found === '\\' && WORD.test(after)) return found
    return [...found].map((char) => `\\${char}`).join('')
  })
}

export function reference(char: string): string {
  return `&#${char.codePointAt(0)};`
}

const BLOCK_START = /^(?:[>=|+-]|#{1,6}(?=[ \t]|$)|~{3}|\[\^|:)/
const NUMBER_START = /^(\d{1,9})([.)])(?=[ \t]|$)/

/** Escapes the start of a paragraph line, so it does not start another block. */
export function guardLine(line: string, care: Care): string {
  let guarded = guardEdges(line)
  if (care === 'none') return guarded
  if (care !== 'light' || /^(?:[>=|]|[+-](?:[ \t+-]|$)|#)/.test(guarded))
    guarded = guarded.replace(BLOCK_START, (found) => `\\${found}`)
  return guarded.replace(NUMBER_START, '$1\\$2')
}

/** Writes spaces and tabs at the edges of a line as character references. A parser would strip them. */
export function guardEdges(line: string): string {
  let from = 0
  while (isSpace(line[from])) from++
  let to = line.length
  while (to > from && isSpace(line[to - 1])) to--
  const referenced = (space: string) => [...space].map(reference).join('')
  return referenced(line.slice(0, from)) + line.slice(from, to) + referenced(line.slice(to))
}

function isSpace(char: string | undefined): boolean {
  return char === ' ' || char === '\t'
}

/**
 * Writes a code span. Uses more backticks than the text has, and pads with spaces where a parser would strip one or
 * where a backtick touches the edge.
 */
export function writeCode(text: string, inTable: boolean): string {
  const runs: string[] = text.match(/`+/g) ?? []
  let fence = '`'
  while (runs.includes(fence)) fence += '`'
  const pad = /^`|`$/.test(text) || (/^ .* $/.test(text) && text.trim() !== '') ? ' ' : ''
  const code = fence + pad + text.replaceAll(/[\n\r]/g, ' ') + pad + fence
  return inTable ? code.replaceAll('|', '\\|') : code
}

export function writeDestination(href: string): string {
  const clean = href.replaceAll(/[\n\r]/g, (char) => encodeURIComponent(char))
  const escaped = clean.replaceAll(/[\\<>](?=[!-/:-@[-`{-~]|$)|[<>]|&(?=#?\w+;)/g, (char) => `\\${char}`)
  const plain = clean !== '' && !/[\x00-\x20\x7f<>]/.test(clean) && balanced(clean)
  return plain ? escaped : `<${escaped}>`
}

function balanced(text: string): boolean {
  let open = 0
  for (const char of text) {
    if (char === '(') open++
    if (char === ')' && --open < 0) return false
  }
  return open === 0
}

export function writeTitle(title: string): string {
  if (title === '') return ''
  const escaped = title.replaceAll(/["\\]|&(?=#?\w+;)/g, (char) => `\\${char}`)
  return ` "${escaped.replaceAll(/[\n\r]/g, reference)}"`
}
