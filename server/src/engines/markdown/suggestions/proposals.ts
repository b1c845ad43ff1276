import { parseMarkdown } from '../rich/parse.ts'
import { acceptedView, findChanges, rejectedView } from './changes.ts'
import { markUp } from './critic-markup.ts'

/** Blocks that are proposed instead of others. */
export interface Proposal {
  old: string
  fresh: string
}

export function readProposal(source: string): Proposal | undefined {
  if (findChanges(source).length === 0) return undefined
  return { old: rejectedView(source), fresh: acceptedView(source) }
}

/**
 * Both texts as one, which reads as the old one if rejected and as the new one if accepted. Undefined if markdown cannot
 * hold that.
 */
export function writeProposal({ old, fresh }: Proposal): string | undefined {
  const whole = markUp('deletion', old) + markUp('insertion', fresh)
  return [byLines(old, fresh), whole].find((source) => source !== undefined && holds(source, old, fresh))
}

function holds(source: string, old: string, fresh: string): boolean {
  const around = `before\n\n${source}\n\nafter`
  const reads = (view: string, text: string) => view === `before\n\n${text}\n\nafter`
  // Editors show it as one block, so it must be read as one.
  const isOne = parseMarkdown(source).doc.childCount === 1
  return (
    isOne && findChanges(source).length > 0 && reads(rejectedView(around), old) && reads(acceptedView(around), fresh)
  )
}

const LISTED = /^\s*(?:[-*+]|\d+[.)]|\|)/

/** Marks only the lines that differ, if both are lists or tables of which some lines are equal. */
function byLines(old: string, fresh: string): string | undefined {
  const [was, is] = [old.split('\n'), fresh.split('\n')]
  if (!LISTED.test(old) || !LISTED.test(fresh)) return undefined
  const most = Math.min(was.length, is.length)
  let head = 0
  while (head < most && was[head] === is[head]) head++
  let tail = 0
  while (tail < most - head && was[was.length - 1 - tail] === is[is.length - 1 - tail]) tail++
  // A table without its first two lines is none.
  if (head === 0 || (old.startsWith('|') && head < 2)) return undefined
  const before = is.slice(0, head).join('\n')
  const after = tail > 0 ? `\n${is.slice(is.length - tail).join('\n')}` : ''
  const [gone, added] = [was.slice(head, was.length - tail), is.slice(head, is.length - tail)].map((lines) =>
    lines.join('\n'),
  )
  if (gone && added) return `${before}\n${markUp('deletion', gone)}${markUp('insertion', added)}${after}`
  return `${before}${gone ? markUp('deletion', `\n${gone}`) : markUp('insertion', `\n${added}`)}${after}`
}
