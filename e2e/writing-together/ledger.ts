import { acceptedView, rejectedView } from '../../server/src/engines/markdown/index.ts'

/** A word that someone wrote. No two are the same, so each can be found again. */
export interface Word {
  text: string
  /** The first word of the block in which it was written. */
  home: string
  by: string
  /**
   * `unsure` if part of it was decided, removed or refused while it was being written, or its block was removed before its
   * writer saw it: the cursor goes to the next block.
   */
  fate: 'there' | 'gone' | 'unsure'
}

/** Words next to each other begin and end with other letters: editors tell apart only what differs. */
const LETTERS = 'bcdfghjklmnpqrstvwxz'
const spell = (number: number) => `${LETTERS[number % 20]}${number}${LETTERS[(number * 7 + 3) % 20]}`

export const WORD = /[a-zA-Z]\d+[a-z]/g
export const isAnchor = (word: string) => /^[A-Z]/.test(word)
const capital = (word: string) => word[0]!.toUpperCase() + word.slice(1)
export const wordsIn = (text: string): string[] => text.match(WORD) ?? []

/** What everybody has written and deleted. A block begins with an anchor, which nobody deletes alone. */
export interface Ledger {
  words: Map<string, Word>
  /** Words that are being written, or that a request is about. Nobody else works next to them. */
  busy: Set<string>
  newWord(home: string, by: string): string
  newAnchor(from: string | undefined, by: string): string
  ownerOf(anchor: string): string | undefined
  familyOf(anchor: string): string | undefined
  delete(word: string): void
  /** A request removed or rejected this text. Of a word that was being written, it has only the first letters. */
  doubtParts(seen: string): void
  /** A request overwrote everything that is not in this text. */
  doubtUnseen(seen: string): void
  /** A request removed the block that begins with this word. */
  doubtTyped(anchor: string): void
  /** A request replaced the text that its writer had seen by another. */
  replaced(seen: string, now: string): void
  faults(markdown: string): string[]
}

export function openLedger(): Ledger {
  const words = new Map<string, Word>()
  const parents = new Map<string, string | undefined>()
  let last = 0

  const note = (text: string, home: string, by: string) => {
    words.set(text, { text, home, by, fate: 'there' })
    return text
  }
  const familyOf = (anchor: string): string | undefined => {
    let root = anchor
    for (let next = parents.get(root); next; next = parents.get(root)) root = next
    return parents.has(root) ? root : undefined
  }
  const ledger: Ledger = {
    words,
    busy: new Set(),
    newWord(home, by) {
      const word = note(spell(++last), home, by)
      if (words.get(home)?.fate === 'gone') doubt(words.get(word)!)
      return word
    },
    newAnchor(from, by) {
      const anchor = capital(spell(++last))
      parents.set(anchor, from)
      return note(anchor, anchor, by)
    },
    ownerOf: (anchor) => words.get(familyOf(anchor) ?? '')?.by,
    familyOf,
    delete(word) {
      const known = words.get(word)
      if (known && known.fate !== 'unsure') known.fate = 'gone'
    },
    doubtParts(seen) {
      const parts = (seen.match(/[a-z]\d*[a-z]?/gi) ?? []).filter((part) => !words.has(part))
      for (const word of words.values()) if (parts.some((part) => word.text.startsWith(part))) doubt(word)
    },
    doubtUnseen(seen) {
      const known = new Set(wordsIn(seen))
      for (const word of words.values()) if (!known.has(word.text)) doubt(word)
    },
    doubtTyped(anchor) {
      for (const word of words.values()) if (word.home === anchor && ledger.busy.has(word.text)) doubt(word)
    },
    replaced(seen, after) {
      const kept = new Set(wordsIn(after))
      const had = new Set(wordsIn(seen))
      for (const word of had) if (!kept.has(word)) ledger.delete(word)
      for (const word of kept) {
        const known = words.get(word)
        if (known?.fate === 'gone' && !had.has(word)) known.fate = 'there'
      }
    },
    faults: (markdown) => findFaults(markdown, words, familyOf),
  }
  return ledger
}

function doubt(word: Word | undefined): void {
  if (word?.fate === 'there') word.fate = 'unsure'
}

function findFaults(markdown: string, words: Map<string, Word>, familyOf: Ledger['familyOf']): string[] {
  const [accepted, rejected] = [placesIn(acceptedView(markdown)), placesIn(rejectedView(markdown))]
  const faults: string[] = []
  for (const { text, home, fate, by } of words.values()) {
    const [after, before] = [accepted.get(text) ?? [], rejected.get(text) ?? []]
    const isThere = after.length > 0 || before.length > 0
    if (fate === 'unsure') continue
    if (after.length > 1 || before.length > 1) faults.push(`${text} of ${by} is there twice`)
    if (fate === 'there' && !isThere) faults.push(`${text} of ${by} in ${home} is missing`)
    const anchor = after[0] ?? before[0]
    if (fate === 'there' && anchor && familyOf(anchor) !== familyOf(home))
      faults.push(`${text} of ${by} belongs to ${home} and is in ${anchor}`)
  }
  return faults
}

/** Returns, for each word, the anchors of the blocks that it is in. */
function placesIn(markdown: string): Map<string, string[]> {
  const places = new Map<string, string[]>()
  for (const block of markdown.split(/\n|(?<!\\)\|/)) {
    const found = wordsIn(block)
    for (const word of found) places.set(word, [...(places.get(word) ?? []), found.find(isAnchor) ?? ''])
  }
  return places
}
