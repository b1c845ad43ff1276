import { Fragment, Slice } from 'prosemirror-model'
import { schema } from '../../web/src/editor/schema.ts'
import type { Chance } from './chance.ts'
import { isAnchor, type Ledger, wordsIn } from './ledger.ts'
import type { Person } from './person.ts'
import { type Place, placesOf, shownText } from './places.ts'

/** A word of which someone has written some letters. */
export interface Typing {
  word: string
  left: string
  near: string[]
}

interface Keyboard {
  chance: Chance
  ledger: Ledger
  person: Person
}

/** The words beside a place. Two people who write at the very same place would write into each other's words. */
const besides = (places: Place[], place: Place) => {
  const at = places.indexOf(place)
  return [places[at - 1], place, places[at + 1]].flatMap((one) => (one?.block === place.block ? [one.word] : []))
}

function freePlace(
  { chance, ledger, person }: Keyboard,
  isFit: (place: Place) => boolean = () => true,
): Place | undefined {
  const places = placesOf(person.doc())
  const free = places.filter((place) => isFit(place) && besides(places, place).every((word) => !ledger.busy.has(word)))
  return chance.oneOf(free)
}

/** Begins a word behind another one. Its letters follow one by one. */
export function beginWord(at: Keyboard): Typing | undefined {
  const { ledger, person } = at
  const places = placesOf(person.doc())
  const place = freePlace(at)
  if (!place || !person.select(place.to)) return undefined
  const near = besides(places, places.find(({ from }) => from === place.from)!)
  const word = ledger.newWord(place.anchor, person.name)
  for (const one of [word, ...near]) ledger.busy.add(one)
  return { word, left: ` ${word}`, near }
}

/** Writes the next letter. Returns false if the word is done. */
export function typeLetter({ ledger, person }: Keyboard, typing: Typing): boolean {
  const isTyped = person.type(typing.left[0]!)
  typing.left = typing.left.slice(1)
  if (!isTyped) ledger.words.get(typing.word)!.fate = 'unsure'
  if (isTyped && typing.left !== '') return true
  endTyping(ledger, typing)
  return false
}

export function endTyping(ledger: Ledger, { word, near }: Typing): void {
  for (const one of [word, ...near]) ledger.busy.delete(one)
}

/** Edits, and notes which words the person has deleted with it. */
function noting({ ledger, person }: Keyboard, edit: () => void, isOwn = false): void {
  const before = new Set(wordsIn(shownText(person.doc())))
  edit()
  const after = new Set(wordsIn(shownText(person.doc())))
  for (const word of before)
    if (!after.has(word) && (!isOwn || ledger.words.get(word)?.by === person.name)) ledger.delete(word)
  for (const word of after) {
    const known = ledger.words.get(word)
    if (!before.has(word) && known?.fate === 'gone') known.fate = 'there'
  }
}

export function deleteWord(at: Keyboard): string | undefined {
  const place = freePlace(at, ({ word }) => !isAnchor(word))
  if (!place || !at.person.select(place.from - 1, place.to)) return undefined
  noting(at, () => at.person.edit(({ tr }) => tr.deleteSelection()))
  return place.word
}

/** Divides a line that is one's own. Whoever writes in its second half at that moment continues in the first. */
export function divideLine(at: Keyboard): string | undefined {
  const { ledger, person } = at
  const place = freePlace(at, ({ word, anchor, block, parent, to, start }) => {
    if (block.type !== schema.nodes.paragraph || !['doc', 'list_item', 'blockquote'].includes(parent.type.name))
      return false
    return (
      ledger.ownerOf(anchor) === person.name &&
      !(isAnchor(word) && to - start === word.length && block.content.size === to - start)
    )
  })
  if (!place) return undefined
  const words = wordsIn(place.block.textContent)
  if (words.some((word) => ledger.busy.has(word))) return undefined
  if (!person.select(place.to) || !person.enter()) return undefined
  const anchor = ledger.newAnchor(place.anchor, person.name)
  if (!person.type(anchor)) ledger.words.get(anchor)!.fate = 'unsure'
  // Editors copy the second half of a line, and undoing that would copy it again while others write in it.
  person.forget()
  return `${place.anchor} after ${place.word}, ${anchor}`
}

export function makeBold(at: Keyboard): string | undefined {
  const place = at.person.isSuggesting ? undefined : freePlace(at, ({ isMarked }) => !isMarked)
  if (!place) return undefined
  const mark = schema.marks.strong.create()
  at.person.edit(({ tr, doc }) =>
    doc.rangeHasMark(place.from, place.to, mark.type)
      ? tr.removeMark(place.from, place.to, mark.type)
      : tr.addMark(place.from, place.to, mark),
  )
  return place.word
}

export function pasteLines(at: Keyboard): string | undefined {
  const { ledger, person } = at
  const place = freePlace(
    at,
    ({ block, parent, anchor, to, start }) =>
      block.type === schema.nodes.paragraph &&
      parent.type === schema.nodes.doc &&
      ledger.ownerOf(anchor) === person.name &&
      to === start + block.content.size,
  )
  if (!place || !person.select(place.to)) return undefined
  const lines = [0, 1].map(() => {
    const anchor = ledger.newAnchor(undefined, person.name)
    return `${anchor} ${ledger.newWord(anchor, person.name)}`
  })
  const nodes = lines.map((text) => schema.nodes.paragraph.create(null, schema.text(text)))
  const isPasted = person.paste(new Slice(Fragment.from(nodes), 0, 0))
  person.forget()
  if (!isPasted) for (const word of lines.flatMap(wordsIn)) ledger.words.get(word)!.fate = 'unsure'
  return lines.join(', ')
}

export function undoLast(at: Keyboard): string {
  const before = wordsIn(shownText(at.person.doc()))
  noting(at, () => at.person.undo(), true)
  const after = new Set(wordsIn(shownText(at.person.doc())))
  return before.filter((word) => !after.has(word)).join(', ')
}
