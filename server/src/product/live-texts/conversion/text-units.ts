import { diffArrays } from 'diff'
import type { Mark, Node } from 'prosemirror-model'
import * as Y from 'yjs'
import { readMarks } from './read-fragment.ts'

/** A character, or a node such as a line break or an image. */
export interface Unit {
  /** Equal units may be the same unit, whatever marks they have. */
  key: string
  marks: readonly Mark[]
}

/** A unit of the shared text, and the child of the element that holds it. */
export interface SharedUnit extends Unit {
  child: number
  /** The marks under the names that they have in Yjs. */
  attributes: Record<string, unknown>
}

/** A unit of the new text. */
export interface FreshUnit extends Unit {
  /** Undefined for a character. */
  node: Node | undefined
}

export function sharedUnits(element: Y.XmlElement): SharedUnit[] {
  return element.toArray().flatMap((part, child): SharedUnit[] => {
    if (part instanceof Y.XmlText) return charactersOf(part, child)
    if (!(part instanceof Y.XmlElement)) return []
    return [{ key: nodeKey(part.nodeName, part.getAttributes()), marks: [], child, attributes: {} }]
  })
}

function charactersOf(text: Y.XmlText, child: number): SharedUnit[] {
  const delta = text.toDelta() as { insert: unknown; attributes?: Record<string, unknown> }[]
  return delta.flatMap(({ insert, attributes = {} }) => {
    const marks = readMarks(attributes)
    // Yjs counts an embedded value as one character.
    const characters = typeof insert === 'string' ? insert.split('') : ['\ufffc']
    return characters.map((key) => ({ key, marks, child, attributes }))
  })
}

export const freshUnits = (node: Node): FreshUnit[] =>
  node.children.flatMap((child): FreshUnit[] => {
    const { text, marks } = child
    if (text !== undefined) return text.split('').map((key) => ({ key, marks, node: undefined }))
    return [{ key: nodeKey(child.type.name, child.attrs), marks: [], node: child }]
  })

const nodeKey = (name: string, attrs: Record<string, unknown>) =>
  `${name} ${JSON.stringify(
    Object.entries(attrs)
      .filter(([, value]) => value !== null)
      .sort(),
  )}`

/**
 * Returns, for each new unit, the shared unit that it is, or -1. Keeps the order and uses each shared unit at most once.
 */
export function alignUnits(old: readonly Unit[], fresh: readonly Unit[]): number[] {
  return (
    alignWithout(old, fresh, gone('deletion', old, fresh), gone('insertion', fresh, old)) ??
    alignWithout(old, fresh, gone('insertion', old, fresh), gone('deletion', fresh, old)) ??
    alignWords(old, fresh)
  )
}

const idOf = (kind: string, { marks }: Unit) => marks.find(({ type }) => type.name === kind)?.attrs.id

/** Tells which units belong to a suggestion of this kind that the others do not have. */
function gone(kind: string, units: readonly Unit[], others: readonly Unit[]): (unit: Unit) => boolean {
  const kept = new Set(others.map((unit) => idOf(kind, unit)))
  const isIn = units.some((unit) => idOf(kind, unit) !== undefined)
  return isIn ? (unit) => idOf(kind, unit) !== undefined && !kept.has(idOf(kind, unit)) : () => false
}

/** What a suggestion adds may say the same as what it deletes. Without both, the rest must be equal. */
function alignWithout(
  old: readonly Unit[],
  fresh: readonly Unit[],
  isOldGone: (unit: Unit) => boolean,
  isFreshNew: (unit: Unit) => boolean,
): number[] | undefined {
  const kept = [...old.keys()].filter((at) => !isOldGone(old[at]!))
  let next = 0
  const matches = fresh.map((unit) => {
    if (isFreshNew(unit)) return -1
    const at = kept[next++]
    return at !== undefined && old[at]!.key === unit.key ? at : -2
  })
  return next === kept.length && !matches.includes(-2) ? matches : undefined
}

/** Two texts with more differences than this have little in common. Finding it would take too long. */
const MAX_DIFFERENCES = 1_000

/** Compares word by word, and a word with the word that replaces it letter by letter. */
function alignWords(old: readonly Unit[], fresh: readonly Unit[]): number[] {
  const matches = new Array<number>(fresh.length).fill(-1)
  const isSame = (one: string, other: string) => one === other
  const parts = diffArrays(words(old), words(fresh), { comparator: isSame, maxEditLength: MAX_DIFFERENCES })
  let at = 0
  let freshAt = 0
  let [removed, added] = [0, 0]
  const replaced = () => {
    alignEnds(old, fresh, matches, { at: at - removed, freshAt: freshAt - added, removed, added })
    removed = 0
    added = 0
  }
  for (const part of parts ?? [
    { value: words(old), removed: true, added: false },
    { value: words(fresh), removed: false, added: true },
  ]) {
    const length = part.value.reduce((sum, word) => sum + lengthOf(word), 0)
    if (part.removed) {
      removed += length
      at += length
    } else if (part.added) {
      added += length
      freshAt += length
    } else {
      replaced()
      for (let step = 0; step < length; step++) matches[freshAt++] = at++
    }
  }
  replaced()
  return matches
}

interface Replaced {
  at: number
  freshAt: number
  removed: number
  added: number
}

/** Keeps what a text and its replacement have in common at both ends. */
function alignEnds(old: readonly Unit[], fresh: readonly Unit[], matches: number[], part: Replaced): void {
  const { at, freshAt, removed, added } = part
  const most = Math.min(removed, added)
  let start = 0
  for (; start < most && old[at + start]!.key === fresh[freshAt + start]!.key; start++)
    matches[freshAt + start] = at + start
  for (let end = 1; end <= most - start; end++) {
    const [oldEnd, freshEnd] = [at + removed - end, freshAt + added - end]
    if (old[oldEnd]!.key !== fresh[freshEnd]!.key) return
    matches[freshEnd] = oldEnd
  }
}

const WORD = /[\p{L}\p{N}\p{M}]/u

/** Joins the letters of a word. Everything else stands alone. Nodes start with a line ending, which no word has. */
function words(units: readonly Unit[]): string[] {
  const found: string[] = []
  let isInWord = false
  for (const { key } of units) {
    const isLetter = key.length === 1 && (WORD.test(key) || isSurrogate(key))
    if (isLetter && isInWord) found[found.length - 1] += key
    else found.push(key.length === 1 ? key : `\n${key}`)
    isInWord = isLetter
  }
  return found
}

const lengthOf = (word: string) => (word.startsWith('\n') ? 1 : word.length)

const isSurrogate = (char: string) => char >= '\ud800' && char <= '\udfff'
