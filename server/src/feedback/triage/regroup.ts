import { PRIOR_COUNT } from '../../engines/meaning/background.ts'
import { MEANING } from '../../engines/meaning/features.ts'
import type { TxCtx } from '../../kernel/context.ts'
import type { Tx } from '../../kernel/database/index.ts'
import { recordEvents } from '../../kernel/events.ts'
import type { JobDeps } from '../../kernel/slice.ts'
import { lockLinks } from '../../links/index.ts'
import { findProject, operatorCtx } from '../../projects/index.ts'
import { changeTheme, createTheme, deleteTheme } from '../themes/themes.ts'
import type { Corpus } from './derive.ts'
import { describeGroup } from './describe.ts'
import { type Knowledge, type ProjectKnowledge, useKnowledge, withProject } from './knowledge.ts'
import type { TriageMemory } from './memory.ts'
import { type Group, planGroups } from './plan.ts'
import { triageThreads } from './threads.ts'
import {
  type Free,
  listEmptyThemes,
  listFree,
  lockFreeThemes,
  type Move,
  moveFreeQuotes,
  takeSorted,
} from './triage-queries.ts'

/** Older items stay where they are: regrouping more would take too long. */
const MAX_ITEMS = 6_000
/** A theme is renamed when at least this share of its items is new. */
const RENAME_FROM_SHARE = 0.5
const DEADLINE_MS = 120_000

/**
 * Regroups the themes that triage made and nobody has touched: it merges those about the same thing and splits those
 * about several. It leaves alone what a person has touched.
 */
export async function regroupFeedback(payload: unknown, deps: JobDeps): Promise<void> {
  const { projectId } = payload as { projectId: string }
  const knowledge = await useKnowledge()
  const access = { db: deps.db, knowledge, projectId }
  const { free, corpus } = await withProject(access, async (db, { memory }) => {
    if ((await takeSorted(db, projectId)) === 0) return { free: [], corpus: undefined }
    const free = (await listFree(db, projectId, MAX_ITEMS)).reverse().filter((one) => memory.get(one.itemId))
    return { free, corpus: toCorpus(free, memory, knowledge) }
  })
  if (!corpus || free.length < 2) return
  const groupOf = await triageThreads.run('deriveGroups', corpus, { deadlineMs: DEADLINE_MS })
  const groups = planGroups(free, groupOf)
  await withProject(access, (db, project) => apply(deps, db, { projectId, knowledge, project, free, groups }))
}

function toCorpus(free: Free[], memory: TriageMemory, { prior, rarity: rarityOf }: Knowledge): Corpus {
  const meanings = new Int8Array(free.length * MEANING)
  const rarity = new Map<string, number>()
  const terms = free.map(({ itemId }, index) => {
    const features = memory.get(itemId)!
    meanings.set(features.meaning, index * MEANING)
    for (const term of features.terms) if (!rarity.has(term)) rarity.set(term, rarityOf(term))
    return features.terms
  })
  return { meanings, terms, prior, priorCount: PRIOR_COUNT, rarity }
}

interface Work {
  ctx: TxCtx
  knowledge: Knowledge
  project: ProjectKnowledge
  before: Map<string, Free>
}

interface Plan {
  projectId: string
  knowledge: Knowledge
  project: ProjectKnowledge
  free: Free[]
  groups: Group[]
}

/** Leaves alone whatever changed while the groups were computed. */
async function apply(deps: JobDeps, db: Tx, { projectId, knowledge, project, free, groups }: Plan): Promise<void> {
  const found = await findProject(db, projectId)
  if (!found) return
  const ctx = operatorCtx({ ...deps, db }, found)
  await lockLinks(db, projectId)
  const before = new Map(free.map((one) => [one.itemId, one]))
  const sizes = new Map<string, number>()
  for (const { themeId } of free) sizes.set(themeId, (sizes.get(themeId) ?? 0) + 1)
  const changing = groups.filter(
    ({ themeId, items }) =>
      themeId === undefined ||
      items.length !== sizes.get(themeId) ||
      items.some((id) => before.get(id)!.themeId !== themeId),
  )
  const themeIds = changing.flatMap((one) => one.items.map((id) => before.get(id)!.themeId))
  const mayChange = await lockFreeThemes(db, projectId, [...new Set(themeIds)])
  const still = new Map((await listFree(db, projectId, MAX_ITEMS * 2)).map((one) => [one.itemId, one.themeId]))
  const isMovable = (id: string) => {
    const { themeId } = before.get(id)!
    return still.get(id) === themeId && mayChange.has(themeId)
  }
  const work = { ctx, knowledge, project, before }
  const wentTo = new Map<string, string>()
  for (const group of changing) {
    const kept = group.themeId !== undefined && mayChange.has(group.themeId) ? group.themeId : undefined
    const newcomers = group.items.filter((id) => before.get(id)!.themeId !== kept && isMovable(id))
    if (newcomers.length > 0 || kept !== undefined)
      for (const { from, to } of await moveInto(work, newcomers, kept, group)) wentTo.set(from, to)
  }
  await endEmptied(ctx, wentTo)
}

async function moveInto(
  { ctx, knowledge, project, before }: Work,
  newcomers: string[],
  kept: string | undefined,
  group: Group,
) {
  const { projectId } = ctx.actor
  const { titles, ...words } = await describeGroup(ctx.db, projectId, knowledge.rarity, project.memory, group.items)
  const values = { ...words, description: '', markdownContent: '', status: 'unresolved' as const }
  const themeId = kept ?? (await createTheme(ctx, values)).id
  const moves: Move[] = newcomers.map((id) => ({ quoteId: before.get(id)!.quoteId, to: themeId }))
  const moved = moves.length > 0 ? await moveFreeQuotes(ctx.db, projectId, moves) : []
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
  const title = kept === undefined ? undefined : project.themes.get(kept)?.title
  if (title !== undefined && (!titles.has(title) || moved.length >= group.items.length * RENAME_FROM_SHARE))
    await changeTheme(ctx, themeId, words)
  return moved
}

async function endEmptied(ctx: TxCtx, wentTo: Map<string, string>): Promise<void> {
  const emptied = await listEmptyThemes(ctx.db, ctx.actor.projectId, [...wentTo.keys()])
  for (const { id, themeNumber, title } of emptied) {
    const into = wentTo.get(id)!
    const payload = { theme_id: id, theme_number: themeNumber, title }
    await recordEvents(ctx, [{ kind: 'theme.merged', subjectType: 'theme', subjectId: into, payload }])
    await deleteTheme(ctx, id)
  }
}
