import { randomUUID } from 'node:crypto'
import * as Y from 'yjs'
import { fragmentOf } from './fragment.ts'

/** A letter, by the edit that wrote it. */
interface Letter {
  id: string
  at: number
  isNew: boolean
  insertion: { id?: unknown } | undefined
  deletion: unknown
}

type IsNew = (item: Y.Item, step: number) => boolean

/**
 * Letters that someone typed while others wrote keep the marks with which they were typed: they do not become part of a
 * deletion that their author has not seen, and they stay a suggestion if the one they continue was settled. Changes
 * `merged`, in which both are. The letters are those that the state vector does not have.
 */
export function keepTyped(merged: Y.Doc, typed: Y.Doc, knownVector: Uint8Array): void {
  const known = Y.decodeStateVector(knownVector)
  const isNew: IsNew = ({ id }, step) => id.clock + step >= (known.get(id.client) ?? 0)
  const before = new Map(linesWithNew(typed, isNew).flatMap(({ letters }) => letters.map((one) => [one.id, one])))
  merged.transact(() => {
    for (const { text, letters } of before.size > 0 ? linesWithNew(merged, isNew) : []) {
      const names = namesNow(before, letters)
      for (const letter of letters) {
        const was = before.get(letter.id)
        if (!was || !letter.isNew) continue
        const attributes: Record<string, unknown> = {}
        const insertion = letter.insertion ?? (was.insertion && { id: nameOf(names, was.insertion.id) })
        if (insertion !== letter.insertion) attributes.insertion = insertion
        if (!was.deletion && letter.deletion) attributes.deletion = null
        if (Object.keys(attributes).length > 0) text.format(letter.at, 1, attributes)
      }
    }
  })
}

/** What others have left of a suggestion may have another id. */
function namesNow(before: Map<string, Letter>, letters: Letter[]): Map<unknown, string> {
  const names = new Map<unknown, string>()
  for (const { id, insertion } of letters) {
    const was = before.get(id)?.insertion
    if (was && typeof insertion?.id === 'string') names.set(was.id, insertion.id)
  }
  return names
}

/** A settled suggestion keeps its id, so what continues it needs another. */
function nameOf(names: Map<unknown, string>, id: unknown): string {
  const name = names.get(id) ?? randomUUID()
  names.set(id, name)
  return name
}

/** Returns the texts with new letters, and all letters of each. */
function linesWithNew(doc: Y.Doc, isNew: IsNew): { text: Y.XmlText; letters: Letter[] }[] {
  return textsIn(fragmentOf(doc)).flatMap((text) =>
    itemsOf(text).some((item) => item.countable && isNew(item, item.length - 1))
      ? [{ text, letters: lettersIn(text, isNew) }]
      : [],
  )
}

function textsIn(parent: Y.XmlFragment): Y.XmlText[] {
  return parent.toArray().flatMap((child) => {
    if (child instanceof Y.XmlText) return [child]
    return child instanceof Y.XmlElement ? textsIn(child) : []
  })
}

function itemsOf(text: Y.XmlText): Y.Item[] {
  const items: Y.Item[] = []
  for (let item = text._start; item; item = item.right) if (!item.deleted) items.push(item)
  return items
}

function lettersIn(text: Y.XmlText, isNew: IsNew): Letter[] {
  const letters: Letter[] = []
  const marks = new Map<string, unknown>()
  let at = 0
  for (const item of itemsOf(text)) {
    const { content, id } = item
    if (content instanceof Y.ContentFormat) marks.set(content.key, content.value ?? undefined)
    else if (item.countable) {
      const insertion = marks.get('insertion') as Letter['insertion']
      const deletion = marks.get('deletion')
      for (let step = 0; step < item.length; step++)
        letters.push({
          id: `${id.client} ${id.clock + step}`,
          at: at + step,
          isNew: isNew(item, step),
          insertion,
          deletion,
        })
      at += item.length
    }
  }
  return letters
}
