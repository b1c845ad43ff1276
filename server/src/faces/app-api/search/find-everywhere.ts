import type { Ctx } from '../../../kernel/context.ts'
import { errorCode, inSavepoint, sendTogether } from '../../../kernel/database/index.ts'
import { createSearchQueue, limitStatements } from '../../../kernel/searches/search-queue.ts'
import { type FoundByWords, findByWords, MAX_COUNTED, type WordQuery } from '../../../kernel/searches/word-search.ts'
import { ARTIFACT_WORDS } from '../../../product/artifacts/index.ts'
import { documentWords } from '../../../product/documents/index.ts'
import { ITEM_WORDS, THEME_WORDS } from '../../../product/feedback/index.ts'
import { MEMBER_WORDS } from '../../../product/projects/index.ts'
import { WORK_ORDER_WORDS } from '../../../product/work-orders/index.ts'

/** What can be found, in the order of the answer. A code names the kind and the number: `WO-12`. */
const SOURCES = [
  { kind: 'work_order', words: WORK_ORDER_WORDS, code: 'wo' },
  { kind: 'requirements_document', words: documentWords('requirements_document') },
  { kind: 'blueprint', words: documentWords('blueprint') },
  { kind: 'theme', words: THEME_WORDS, code: 'th' },
  { kind: 'feedback_item', words: ITEM_WORDS, code: 'fb' },
  { kind: 'artifact', words: ARTIFACT_WORDS },
  { kind: 'person', words: MEMBER_WORDS },
] as const

export const FOUND_KINDS = SOURCES.map(({ kind }) => kind)
export type FoundKind = (typeof FOUND_KINDS)[number]

export interface Found extends Omit<FoundByWords, 'total'> {
  kind: FoundKind
}

export interface FoundEverywhere {
  items: Found[]
  totals: { kind: FoundKind; total: number }[]
  /** True if there was no time to look through all texts. */
  isPartial: boolean
}

const DEADLINE_MS = 3_000
/** Titles matter most. The texts of a kind get this long, or what is left. */
const TEXTS_MS = 350
const MAX_WORDS = 10

const runSearch = createSearchQueue('Use longer words, or try again when fewer searches run.')

/** Looks for words in the titles of everything that a project has, and then in the texts. */
export async function findEverywhere(ctx: Ctx, text: string, limit: number): Promise<FoundEverywhere> {
  const wanted = readQuery(text)
  const { projectId } = ctx.actor
  return runSearch({ projectId, query: text, deadlineMs: DEADLINE_MS }, async ({ leftMs }) => {
    const named = await look(ctx, { ...wanted, place: 'title', limit }, leftMs())
    if (wanted.code || wanted.words.every((word) => word.length < 3)) return answer(named, new Map(), limit, false)
    try {
      const said = await look(ctx, { ...wanted, place: 'text', limit: limit * 2 }, Math.min(TEXTS_MS, leftMs()))
      return answer(named, said, limit, false)
    } catch (err) {
      if (errorCode(err) !== '57014') throw err
      return answer(named, new Map(), limit, true)
    }
  })
}

type ByKind = Map<FoundKind, FoundByWords[]>
interface Wanted extends Pick<WordQuery, 'words' | 'number'> {
  code: string | undefined
}

function readQuery(text: string): Wanted {
  const [, code, digits] = /^(?:(wo|th|fb)[\s-]{0,3}|#)?(\d{1,9})$/i.exec(text.trim()) ?? []
  const words = [...new Set(text.toLowerCase().split(/\s+/))].filter((word) => word !== '').slice(0, MAX_WORDS)
  return {
    words: code ? [] : words,
    number: digits === undefined ? undefined : Number(digits),
    code: code?.toLowerCase(),
  }
}

/** All kinds in one round trip, on one connection. */
const look = (ctx: Ctx, wanted: Wanted & WordQuery, withinMs: number): Promise<ByKind> =>
  inSavepoint(ctx, async ({ db, actor }) => {
    await limitStatements(db, withinMs)
    const asked = SOURCES.flatMap((source) => {
      if (wanted.code && (!('code' in source) || wanted.code !== source.code)) return []
      const statement = findByWords(db, actor.projectId, source.words, wanted)
      return statement ? [{ kind: source.kind, statement }] : []
    })
    const found = await sendTogether(asked.map(({ statement }) => statement))
    return new Map(asked.map(({ kind }, index) => [kind, found[index]!]))
  })

function answer(named: ByKind, said: ByKind, limit: number, isPartial: boolean): FoundEverywhere {
  const items: Found[] = []
  const totals: FoundEverywhere['totals'] = []
  for (const kind of FOUND_KINDS) {
    const byName = named.get(kind) ?? []
    const ids = new Set(byName.map(({ id }) => id))
    const more = (said.get(kind) ?? []).filter(({ id }) => !ids.has(id))
    const all = [...byName, ...more].slice(0, limit)
    if (all.length === 0) continue
    items.push(...all.map(({ total: _, ...one }) => ({ kind, ...one })))
    // Whatever has the words in its title may have them in its text, too.
    const total = Math.max(byName[0]?.total ?? 0, said.get(kind)?.[0]?.total ?? 0, byName.length + more.length)
    totals.push({ kind, total: Math.min(total, MAX_COUNTED) })
  }
  return { items, totals, isPartial }
}
