interface Part {
  before: string
  after: string
}

/**
 * The part of a document that differs, in whole paragraphs and blocks of code, so that people review no more than what
 * changed. The whole document if the part is not in it exactly once.
 */
export function changedPart(before: string, after: string): Part {
  const [old, now] = [paragraphsOf(before), paragraphsOf(after)]
  const most = Math.min(old.length, now.length)
  let start = 0
  while (start < most && old[start] === now[start]) start++
  let end = 0
  while (end < most - start && old.at(-1 - end) === now.at(-1 - end)) end++
  // What only comes in stands beside a paragraph that stays.
  if (old.length === start + end) start > 0 ? start-- : end--
  while (start > 0 && endsInCode(old.slice(0, start))) start--
  while (end > 0 && [old, now].some((all) => endsInCode(all.slice(0, -end)))) end--
  const part = (all: string[]) => all.slice(start, all.length - Math.max(end, 0)).join('')
  const ending = /\n*$/.exec(part(old))![0]
  const shared = part(now).endsWith(ending) ? ending.length : 0
  const trimmed = (text: string) => text.slice(0, text.length - shared)
  const found = { before: trimmed(part(old)), after: trimmed(part(now)) }
  return before.split(found.before).length === 2 ? found : { before, after }
}

const endsInCode = (paragraphs: string[]) =>
  paragraphs.flatMap((one) => [...one.matchAll(/^ {0,3}(?:```|~~~)/gm)]).length % 2 === 1

const paragraphsOf = (text: string) => text.split(/(?<=\n\n)(?!\n)/)
