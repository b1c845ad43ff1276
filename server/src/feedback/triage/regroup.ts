import type { Ctx } from '../../kernel/context.ts'
import { inTransaction, type Tx } from '../../kernel/database.ts'
import { recordEvents } from '../../kernel/events.ts'
import type { JobDeps } from '../../kernel/slice.ts'
import { lockLinks } from '../../links/index.ts'
import { operatorCtx } from '../../projects/index.ts'
import { readItemTexts } from '../item-queries.ts'
import type { ThemeType } from '../theme.ts'
import { changeTheme, createTheme, deleteTheme } from '../themes.ts'
import { PRIOR_COUNT } from './background.ts'
import { priorityOf, typeOf } from './cues.ts'
import type { Corpus } from './derive.ts'
import { MEANING } from './features.ts'
import { type Knowledge, recall, useKnowledge } from './knowledge.ts'
import type { TriageMemory } from './memory.ts'
import { type Group, planGroups } from './plan.ts'
import { type Free, listFree, lockFreeThemes, lockTriage, type Move, moveFreeQuotes, takeSorted } from './store.ts'
import { triageThreads } from './threads.ts'
import { excerptFrom, titleFrom } from './wording.ts'

type TxCtx = Ctx & { db: Tx }

/** Older items stay where they are: looking over more would take too long. */
const MOST_ITEMS = 6_000
/** The share of newcomers from which on a theme is called anew. */
const RENAMED_FROM = 0.3
const DEADLINE_MS = 120_000

/**
 * Looks over the themes that Slipway made and nobody has touched: those that are about the same become one, those that
 * hold several things are split. What a person had a hand in stays as it is.
 */
export async function regroupFeedback(payload: unknown, deps: JobDeps): Promise<void> {
  const { projectId } = payload as { projectId: string }
  const knowledge = await useKnowledge()
  const { free, corpus } = await inTransaction(deps, async ({ db }) => {
    await lockTriage(db, projectId)
    if ((await takeSorted(db, projectId)) === 0) return { free: [], corpus: undefined }
    const { memory } = await recall(db, knowledge, projectId)
    const free = (await listFree(db, projectId, MOST_ITEMS)).reverse().filter((one) => memory.get(one.itemId))
    return { free, corpus: toCorpus(free, memory, knowledge) }
  })
  if (!corpus || free.length < 2) return
  const groupOf = await triageThreads.run('deriveGroups', corpus, { deadlineMs: DEADLINE_MS })
  await inTransaction(deps, ({ db }) => apply(deps, db, projectId, knowledge, free, planGroups(free, groupOf)))
}

function toCorpus(free: Free[], memory: TriageMemory, { prior, reader }: Knowledge): Corpus {
  const meanings = new Int8Array(free.length * MEANING)
  const rarity = new Map<string, number>()
  const terms = free.map(({ itemId }, index) => {
    const features = memory.get(itemId)!
    meanings.set(features.meaning, index * MEANING)
    for (const term of features.terms) if (!rarity.has(term)) rarity.set(term, reader.rarity(term))
    return features.terms
  })
  return { meanings, terms, prior, priorCount: PRIOR_COUNT, rarity }
}

/** What changed while it was thought about stays as it is now. */
async function apply(
  deps: JobDeps,
  db: Tx,
  projectId: string,
  knowledge: Knowledge,
  free: Free[],
  groups: Group[],
): Promise<void> {
  const [project] = await db<{ organizationId: string }[]>`
    select organization_id as "organizationId" from projects where id = ${projectId}`
  if (!project) return
  const ctx = operatorCtx(db, deps.wiring, { id: projectId, name: '', organizationId: project.organizationId })
  await lockTriage(db, projectId)
  await lockLinks(db, projectId)
  const { memory } = await recall(db, knowledge, projectId)
  const before = new Map(free.map((one) => [one.itemId, one]))
  const changing = groups.filter((one) => one.items.some((id) => before.get(id)!.themeId !== one.themeId))
  const themeIds = changing.flatMap((one) => one.items.map((id) => before.get(id)!.themeId))
  const mayChange = await lockFreeThemes(db, projectId, [...new Set(themeIds)])
  const still = new Map((await listFree(db, projectId, MOST_ITEMS * 2)).map((one) => [one.itemId, one.themeId]))
  const isMovable = (id: string) => {
    const themeId = before.get(id)!.themeId
    return still.get(id) === themeId && mayChange.has(themeId)
  }
  for (const group of changing) {
    const kept = group.themeId !== undefined && mayChange.has(group.themeId) ? group.themeId : undefined
    const comers = group.items.filter((id) => before.get(id)!.themeId !== kept && isMovable(id))
    if (comers.length > 0) await gather(ctx, knowledge, memory, before, comers, kept, group)
  }
}

async function gather(
  ctx: TxCtx,
  knowledge: Knowledge,
  memory: TriageMemory,
  before: Map<string, Free>,
  comers: string[],
  kept: string | undefined,
  group: Group,
): Promise<void> {
  const { projectId } = ctx.actor
  const words = await describe(ctx, knowledge, memory, group.items)
  const values = { ...words, description: '', markdownContent: '', status: 'unresolved' as const }
  const themeId = kept ?? (await createTheme(ctx, values)).id
  const moves: Move[] = comers.map((id) => ({ quoteId: before.get(id)!.quoteId, to: themeId }))
  const moved = await moveFreeQuotes(ctx.db, projectId, moves)
  await recordEvents(
    ctx,
    moved.flatMap(({ quoteId, itemId, from, to }) => {
      const payload = { feedback_item_id: itemId, quote_id: quoteId, regrouped: true }
      return [
        { kind: 'theme.feedback_unlinked', subjectType: 'theme', subjectId: from, payload },
        { kind: 'theme.feedback_linked', subjectType: 'theme', subjectId: to, payload },
      ]
    }),
  )
  if (kept !== undefined && moved.length >= group.items.length * RENAMED_FROM) await changeTheme(ctx, kept, words)
  await endEmptied(ctx, [...new Set(moved.map((one) => one.from))], themeId)
}

async function endEmptied(ctx: TxCtx, ids: string[], into: string): Promise<void> {
  const emptied = await ctx.db<{ id: string; themeNumber: number; title: string }[]>`
    select id, theme_number as "themeNumber", title from themes
    where project_id = ${ctx.actor.projectId} and id = any(${ids}::uuid[]) and quote_count = 0`
  for (const { id, themeNumber, title } of emptied) {
    const payload = { theme_number: themeNumber, title, merged_into: into }
    await recordEvents(ctx, [
      { kind: 'theme.merged', subjectType: 'theme', subjectId: into, payload: { ...payload, theme_id: id } },
    ])
    await deleteTheme(ctx, id)
  }
}

/** A group is called as the item in its middle, and is of the kind that most of its items are. */
async function describe(ctx: TxCtx, { reader }: Knowledge, memory: TriageMemory, itemIds: string[]) {
  const { projectId } = ctx.actor
  const middle = memory.middleOf(itemIds)
  const texts = await readItemTexts(ctx.db, projectId, itemIds.slice(0, 50))
  const types = texts.map(({ markdownContent }) => typeOf(markdownContent))
  const type = mostFrequent<ThemeType>(types.filter((one) => one !== 'other')) ?? 'other'
  const priorities = texts.map(({ markdownContent }, index) => priorityOf(markdownContent, types[index]!))
  const priority = mostFrequent(priorities) ?? 'low'
  const [chosen] = await readItemTexts(ctx.db, projectId, [middle])
  return { title: titleFrom(excerptFrom(chosen!.markdownContent, reader.rarity)), type, priority }
}

function mostFrequent<T>(values: T[]): T | undefined {
  const counts = new Map<T, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0]
}
