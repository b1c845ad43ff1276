import * as Y from 'yjs'
import { fragmentOf } from './fragment.ts'
import { findRemoved, isIn, type RemovedBlock, rememberRemoved, writeAgain } from './removed-blocks.ts'

/** Letters that an update takes away without naming them. */
interface Lost {
  block: RemovedBlock
  client: number
  letters: string
  isSuggested: boolean
}

export interface Merging {
  origin?: unknown
  /** The origin of what is written for lost letters. */
  keptAs?: unknown
  /** Tells whose letters to keep. Every node keeps those of its own editors, so that none is there twice. */
  isOurs?: (client: number) => boolean
}

/**
 * Merges an update. Yjs removes a block together with letters that whoever removed it has not seen, and drops letters
 * that arrive for it later. Here such letters get a paragraph where their block was.
 */
export function mergeUpdate(shared: Y.Doc, update: Uint8Array, merging: Merging = {}): void {
  const { origin, keptAs, isOurs = () => true } = merging
  const { structs, ds: named } = Y.decodeUpdate(update)
  // A root that nobody has asked for has no type yet.
  fragmentOf(shared)
  const before = Y.decodeStateVector(Y.encodeStateVector(shared))
  let lost: Lost[] = []
  let isRead = false
  const read = (transaction: Y.Transaction) => {
    if (isRead) return
    isRead = true
    lost = [
      ...removedIn(shared, transaction, (id) => isOurs(id.client) && !Y.isDeleted(named, id)),
      ...droppedOf(shared, structs, (id) => id.clock >= (before.get(id.client) ?? 0) && !Y.isDeleted(named, id)),
    ]
  }
  shared.on('afterTransaction', read)
  Y.applyUpdate(shared, update, origin)
  shared.off('afterTransaction', read)
  if (lost.length === 0) return
  shared.transact(() => {
    for (const { block, client, letters, isSuggested } of lost) writeAgain(shared, block, client, letters, isSuggested)
  }, keptAs)
}

/** Letters in blocks that the transaction removed. They are still there until it is over. */
function removedIn(shared: Y.Doc, transaction: Y.Transaction, isKept: (id: Y.ID) => boolean): Lost[] {
  const lost: Lost[] = []
  const blocks = new Map<Y.Item, RemovedBlock>()
  Y.iterateDeletedStructs(transaction, transaction.deleteSet, (struct) => {
    const top = struct instanceof Y.Item ? topRemoved(struct) : undefined
    if (!(struct instanceof Y.Item) || !top || top === struct) return
    const block = blocks.get(top) ?? rememberRemoved(shared, top)
    blocks.set(top, block)
    const { client, clock } = struct.id
    const range = { client, from: clock, to: clock + struct.length }
    const isSuggested = isInsertion(struct, transaction)
    block.ids.push(range)
    if (isSuggested) block.suggested.push(range)
    const letters = struct.content instanceof Y.ContentString ? struct.content.str : ''
    const kept = [...letters.split('').entries()].filter(([at]) => isKept(Y.createID(client, clock + at)))
    if (kept.length > 0) lost.push({ block, client, letters: kept.map(([, letter]) => letter).join(''), isSuggested })
  })
  return lost
}

/** The removed item with an item that stays around it. */
function topRemoved(item: Y.Item): Y.Item | undefined {
  let top = item
  for (let parent = top.parent; parent instanceof Y.AbstractType; parent = top.parent) {
    if (!parent._item?.deleted) return top
    top = parent._item
  }
  return undefined
}

function isInsertion(item: Y.Item, { deleteSet }: Y.Transaction): boolean {
  for (let left = item.left; left; left = left.left) {
    const { content } = left
    const wasThere = !left.deleted || Y.isDeleted(deleteSet, left.id)
    if (wasThere && content instanceof Y.ContentFormat && content.key === 'insertion') return content.value !== null
  }
  return false
}

/** Letters of the update for blocks that were removed before, of which Yjs keeps nothing. */
function droppedOf(
  shared: Y.Doc,
  structs: ReturnType<typeof Y.decodeUpdate>['structs'],
  isKept: (id: Y.ID) => boolean,
): Lost[] {
  const lost: Lost[] = []
  structs.forEach((struct, at) => {
    if (!(struct instanceof Y.Item) || !isKept(struct.id) || !isDropped(shared, struct.id)) return
    const block = findRemoved(shared, struct)
    const { client, clock } = struct.id
    const range = { client, from: clock, to: clock + struct.length }
    const previous = structs[at - 1]
    const isMarked =
      previous instanceof Y.Item &&
      previous.content instanceof Y.ContentFormat &&
      previous.content.key === 'insertion' &&
      previous.content.value !== null
    const isSuggested = isMarked || isIn(block.suggested, struct.origin)
    block.ids.push(range)
    if (isSuggested) block.suggested.push(range)
    if (struct.content instanceof Y.ContentString)
      lost.push({ block, client, letters: struct.content.str, isSuggested })
  })
  return lost
}

const isDropped = (shared: Y.Doc, { client, clock }: Y.ID): boolean => {
  const structs = shared.store.clients.get(client)
  const struct = structs && clock < Y.getState(shared.store, client) && structs[Y.findIndexSS(structs, clock)]
  return struct instanceof Y.GC
}
