import { acceptedView, rejectedView } from '../../server/src/engines/markdown/index.ts'

/** A word that someone wrote. No two are the same, so each can be found again. */
export interface Word {
  text: string
  /** The first word of the block in which it was written. */
  home: string
  by: string
  /** `unsure` if a decision covered part of it while it was being written. */
  fate: 'there' | 'gone' | 'unsure'
  at: number
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
  /** A request replaced the text that its writer had seen by another. */
  replaced(seen: string, now: string): void
  faults(markdown: string): string[]
}

export function openLedger(now: () => number): Ledger {
  const words = new Map<string, Word>()
  const parents = new Map<string, string | undefined>()
  const removed = new Map<string, number>()
  let last = 0

  const note = (text: string, home: string, by: string) => {
    words.set(text, { text, home, by, fate: 'there', at: now() })
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
    newWord: (home, by) => note(spell(++last), home, by),
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
      const family = isAnchor(word) && familyOf(word)
      if (family) removed.set(family, now())
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
    faults: (markdown) => findFaults(markdown, words, familyOf, removed),
  }
  return ledger
}

/** Someone may write in a block for this long after a request has removed it, before seeing that. */
const UNSEEN_MS = 3_000

function findFaults(
  markdown: string,
  words: Map<string, Word>,
  familyOf: Ledger['familyOf'],
  removed: Map<string, number>,
): string[] {
  const [accepted, rejected] = [placesIn(acceptedView(markdown)), placesIn(rejectedView(markdown))]
  const faults: string[] = []
  for (const { text, home, fate, by, at } of words.values()) {
    const [after, before] = [accepted.get(text) ?? [], rejected.get(text) ?? []]
    const isThere = after.length > 0 || before.length > 0
    if (fate === 'unsure') continue
    if (after.length > 1 || before.length > 1) faults.push(`${text} of ${by} is there twice`)
    if (fate === 'there' && !isThere && !((removed.get(familyOf(home) ?? '') ?? 0) + UNSEEN_MS > at))
      faults.push(`${text} of ${by} in ${home} is missing`)
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
