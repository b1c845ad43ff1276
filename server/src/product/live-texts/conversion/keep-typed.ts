import { randomUUID } from 'node:crypto'
import * as Y from 'yjs'
import { fragmentOf } from './fragment.ts'

/** A letter, by the edit that wrote it. */
interface Letter {
  id: string
  at: number
  insertion: { id?: unknown } | undefined
  deletion: unknown
}

/**
 * Letters that someone typed while others wrote keep the marks with which they were typed: they do not become part of a
 * deletion that their author has not seen, and they stay a suggestion if the one they continue was settled. Changes
 * `merged`, in which both are. Returns true if there was something to do.
 */
export function keepTyped(merged: Y.Doc, typed: Y.Doc, others: Y.Doc): boolean {
  const known = Y.decodeStateVector(Y.encodeStateVector(others))
  const isNew = ({ client, clock }: Y.ID) => clock >= (known.get(client) ?? 0)
  const before = new Map<string, Letter>()
  for (const text of textsIn(fragmentOf(typed)))
    for (const letter of lettersIn(text, isNew)) before.set(letter.id, letter)
  const names = new Map<unknown, string>()
  let isChanged = false
  merged.transact(() => {
    for (const text of before.size > 0 ? textsIn(fragmentOf(merged)) : []) {
      for (const { id, at, insertion, deletion } of lettersIn(text, isNew)) {
        const was = before.get(id)
        if (!was) continue
        const attributes: Record<string, unknown> = {}
        if (was.insertion && !insertion) attributes.insertion = { id: nameOf(names, was.insertion.id) }
        if (!was.deletion && deletion) attributes.deletion = null
        if (Object.keys(attributes).length === 0) continue
        text.format(at, 1, attributes)
        isChanged = true
      }
    }
  })
  return isChanged
}

/** The settled suggestion keeps its id, so what continues it needs another. */
function nameOf(names: Map<unknown, string>, id: unknown): string {
  const name = names.get(id) ?? randomUUID()
  names.set(id, name)
  return name
}

function textsIn(parent: Y.XmlFragment): Y.XmlText[] {
  return parent.toArray().flatMap((child) => {
    if (child instanceof Y.XmlText) return [child]
    return child instanceof Y.XmlElement ? textsIn(child) : []
  })
}

function lettersIn(text: Y.XmlText, isNew: (id: Y.ID) => boolean): Letter[] {
  const letters: Letter[] = []
  const marks = new Map<string, unknown>()
  let at = 0
  for (let item = text._start; item; item = item.right) {
    if (item.deleted) continue
    const { content } = item
    if (content instanceof Y.ContentFormat) marks.set(content.key, content.value ?? undefined)
    else if (item.countable) {
      const insertion = marks.get('insertion') as Letter['insertion']
      for (let step = 0; step < item.length; step++) {
        const { client, clock } = item.id
        if (isNew({ client, clock: clock + step } as Y.ID))
          letters.push({ id: `${client} ${clock + step}`, at: at + step, insertion, deletion: marks.get('deletion') })
      }
      at += item.length
    }
  }
  return letters
}
