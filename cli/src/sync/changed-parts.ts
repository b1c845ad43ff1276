import { diffArrays } from 'diff'

interface Part {
  before: string
  after: string
}

/**
 * The parts of a document that differ, in whole paragraphs and blocks of code, so that people review no more than what
 * changed. The whole document if a part is not in it exactly once.
 */
export function changedParts(before: string, after: string): Part[] {
  const [old, now] = [paragraphsOf(before), paragraphsOf(after)]
  const parts: Part[] = []
  let [fromOld, fromNow] = [0, 0]
  for (const [toOld, toNow] of [...unchanged(old, now), [old.length, now.length] as const]) {
    if (toOld > fromOld || toNow > fromNow)
      parts.push(withoutSharedEnd(old.slice(fromOld, toOld).join(''), now.slice(fromNow, toNow).join('')))
    ;[fromOld, fromNow] = [toOld + 1, toNow + 1]
  }
  const areClear = parts.every((part) => before.split(part.before).length === 2)
  return areClear ? parts : [{ before, after }]
}

/** Where the paragraphs that stay are in both. What only comes in takes the one beside it along, to have a place. */
function unchanged(old: string[], now: string[]): [number, number][] {
  const same: [number, number][] = []
  let [inOld, inNow] = [0, 0]
  for (const { count, added, removed } of diffArrays(old, now)) {
    if (!added && !removed) for (let step = 0; step < count; step++) same.push([inOld + step, inNow + step])
    if (!added) inOld += count
    if (!removed) inNow += count
  }
  if (same[0]?.[0] === 0 && same[0][1] > 0) same.shift()
  return same.filter(([one, other], place) => {
    const [nextOld, nextNow] = same[place + 1] ?? [old.length, now.length]
    return nextOld > one + 1 || nextNow === other + 1
  })
}

function withoutSharedEnd(before: string, after: string): Part {
  let end = before.length
  while (before[end - 1] === '\n') end--
  const shared = after.endsWith(before.slice(end)) ? before.length - end : 0
  const trimmed = (text: string) => text.slice(0, text.length - shared)
  return { before: trimmed(before), after: trimmed(after) }
}

/** Blocks of code stay whole. */
function paragraphsOf(text: string): string[] {
  const found: string[] = []
  for (const one of text.split(/(?<=\n\n)(?!\n)/)) {
    if (found.length > 0 && endsInCode(found.at(-1)!)) found.push(found.pop() + one)
    else found.push(one)
  }
  return found
}

const endsInCode = (paragraph: string) => [...paragraph.matchAll(/^ {0,3}(?:```|~~~)/gm)].length % 2 === 1
