import type { Ctx } from '../../../kernel/context.ts'
import { forEachYielding, mapYielding } from '../../../kernel/yielding-loops.ts'
import { type ResourceType, readTexts } from '../../links/index.ts'
import { loadWorkOrder } from '../actions.ts'
import { listComments } from '../comments/comments.ts'
import type { WorkOrder } from '../work-order.ts'
import { type Section, sectionsOf, tokensIn, wordsOf } from './sections.ts'

export type PartKind = 'description' | 'plan' | 'comment' | ResourceType

/** A piece of text with where it is from. */
export interface Part {
  kind: PartKind
  /** The id of the work order, comment or connected thing. */
  id: string
  title: string
  versionNumber: number | null
  lines: { from: number; to: number }
  untrusted: boolean
  tokens: number
  text: string
}

export interface WorkContext {
  workOrder: WorkOrder
  tokens: number
  parts: Part[]
  /** What else there is, if only the budget or its relevance left it out. */
  leftOut: Omit<Part, 'text'>[]
}

type Source = Omit<Part, 'lines' | 'tokens' | 'text'>

interface Candidate extends Part {
  words: Set<string>
  /** The position in the answer. */
  place: number
}

/** Comments get at most this share of the budget, the newest first. */
const SHARE_OF_COMMENTS = 0.25
/** A section is left out if its relevance is less than this share of that of the best section of the same text. */
const RELEVANT = 0.3
/** Connected texts are read some at a time, and no more once they are this long: they may have megabytes each. */
const READ_AT_ONCE = 10
const MAX_CHARACTERS = 4_000_000
const MAX_CONNECTED = 100

/**
 * Selects what one needs to know to do a work order, within a budget of tokens: its description and plan, the newest
 * comments, and then the sections of connected texts that share the rarest words with it.
 */
export async function gatherContext(ctx: Ctx, id: string, budget: number): Promise<WorkContext> {
  const workOrder = await loadWorkOrder(ctx, id)
  const own = await divide(ownTexts(workOrder))
  const comments = await divide(await commentTexts(ctx, workOrder.id))
  const connected = await divide(await connectedTexts(ctx, workOrder))
  const all = [...own, ...connected, ...comments]
  for (const [place, one] of all.entries()) one.place = place

  const wanted = wordsOf(workOrder.title)
  for (const { words } of own) for (const word of words) wanted.add(word)
  const scores = await rank(connected, wanted)
  const best = new Map<string, number>()
  for (const one of connected) best.set(one.id, Math.max(best.get(one.id) ?? 0, scores.get(one)!))
  const byScore = connected
    .filter((one) => scores.get(one)! > best.get(one.id)! * RELEVANT)
    .sort((one, other) => scores.get(other)! - scores.get(one)!)

  const chosen = new Set<Candidate>()
  let tokens = 0
  const take = (candidates: Candidate[], limit: number) => {
    let used = 0
    for (const one of candidates) {
      if (tokens + one.tokens > budget || used + one.tokens > limit) continue
      chosen.add(one)
      tokens += one.tokens
      used += one.tokens
    }
  }
  take(own, budget)
  take(comments.toReversed(), budget * SHARE_OF_COMMENTS)
  take(byScore, budget)
  return {
    workOrder,
    tokens,
    parts: joinNeighbours([...chosen].sort((one, other) => one.place - other.place)),
    leftOut: all.filter((one) => !chosen.has(one)).map(({ words, place, text, ...shown }) => shown),
  }
}

const ownTexts = ({ id, title, markdownContent, implementationPlan: plan }: WorkOrder): [Source, string][] => {
  const source = { id, title, versionNumber: null, untrusted: false }
  const files = plan?.files.map(({ path, action, description }) => `- ${action} \`${path}\`: ${description}`) ?? []
  return [
    [{ kind: 'description', ...source }, markdownContent],
    [{ kind: 'plan', ...source }, [plan?.markdownContent ?? '', files.join('\n')].filter(Boolean).join('\n\n')],
  ]
}

async function commentTexts(ctx: Ctx, workOrderId: string): Promise<[Source, string][]> {
  const comments = await listComments(ctx, workOrderId)
  return comments.map(({ id, author, createdAt, markdownContent }) => {
    const title = `${author?.name ?? 'Somebody who has left'}, ${createdAt}`
    return [{ kind: 'comment', id, title, versionNumber: null, untrusted: false }, markdownContent]
  })
}

async function connectedTexts(ctx: Ctx, { context }: WorkOrder): Promise<[Source, string][]> {
  const links = context.slice(0, MAX_CONNECTED)
  const found: [Source, string][] = []
  let characters = 0
  for (let at = 0; at < links.length && characters < MAX_CHARACTERS; at += READ_AT_ONCE) {
    const some = links.slice(at, at + READ_AT_ONCE)
    const texts = await readTexts(ctx, some)
    for (const { resourceType: kind, resourceId: id } of some) {
      const text = texts.get(id)
      if (!text) continue
      const { title, versionNumber = null, untrusted = false, markdownContent } = text
      found.push([{ kind, id, title, versionNumber, untrusted }, markdownContent])
      characters += markdownContent.length
    }
  }
  return found
}

async function divide(texts: [Source, string][]): Promise<Candidate[]> {
  const divided: Candidate[] = []
  for (const [source, markdown] of texts)
    divided.push(...(await mapYielding(sectionsOf(markdown), (section) => toCandidate(source, section))))
  return divided
}

const toCandidate = (source: Source, { from, to, text }: Section): Candidate => ({
  ...source,
  lines: { from, to },
  tokens: tokensIn(text),
  text,
  words: wordsOf(`${source.title}\n${text}`),
  place: 0,
})

/** Adds up how rare the words are that a section shares with the work order. A long section has a handicap. */
async function rank(sections: Candidate[], wanted: Set<string>): Promise<Map<Candidate, number>> {
  const counts = new Map<string, number>()
  await forEachYielding(sections, ({ words }) => {
    for (const word of words) if (wanted.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1)
  })
  const scores = new Map<Candidate, number>()
  await forEachYielding(sections, (section) => {
    let score = 0
    for (const word of section.words) {
      const count = counts.get(word)
      // Almost nothing for a word that every section has.
      if (count !== undefined) score += Math.log((1.1 + sections.length / count) / 2)
    }
    scores.set(section, score / Math.sqrt(1 + section.words.size))
  })
  return scores
}

/** Shows sections that follow each other as one part. */
function joinNeighbours(candidates: Candidate[]): Part[] {
  const parts: Part[] = []
  let placeBefore = -1
  for (const { words, place, ...part } of candidates) {
    const last = parts.at(-1)
    if (last && place === placeBefore + 1 && last.id === part.id && last.kind === part.kind) {
      const gap = '\n'.repeat(part.lines.from - last.lines.to)
      last.text += gap + part.text
      last.lines = { from: last.lines.from, to: part.lines.to }
      last.tokens += part.tokens
    } else parts.push(part)
    placeBefore = place
  }
  return parts
}
