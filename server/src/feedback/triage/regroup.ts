import type { TxCtx } from '../../kernel/context.ts'
import type { Tx } from '../../kernel/database/index.ts'
import { recordEvents } from '../../kernel/events.ts'
import type { JobDeps } from '../../kernel/slice.ts'
import { inThreads } from '../../kernel/threads/threads.ts'
import { lockLinks } from '../../links/index.ts'
import { findProject, operatorCtx } from '../../projects/index.ts'
import type { Priority } from '../../work-orders/index.ts'
import { THEME_PRIORITIES } from '../themes/theme.ts'
import { changeTheme, createTheme, deleteTheme } from '../themes/themes.ts'
import { type Group, planGroups } from './grouping.ts'
import { type ProjectKnowledge, withProject } from './knowledge.ts'
import { keyOf, type TriageMemory } from './memory.ts'
import {
  type Free,
  listEmptyThemes,
  listFree,
  lockFreeThemes,
  type Moved,
  moveFreeQuotes,
  setQuoteReason,
} from './triage-queries.ts'
import { alikeBecause, joinedBecause, openedBecause, unlikeBecause, writtenAs } from './wording.ts'

/** Themes that have not changed for long stay as they are: regrouping more would take too long. */
const MAX_QUOTES = 2_000
/** A theme is renamed when at least this share of its items is new. */
const RENAME_FROM_SHARE = 0.5
const DEADLINE_MS = 120_000

const thread = inThreads<typeof import('./grouping.ts')>(new URL('./grouping.js', import.meta.url), { maxThreads: 1 })

/**
 * Regroups the themes that triage made and nobody has touched: it merges those about the same thing and splits those
 * about several. It leaves alone what a person has touched.
 */
export async function regroupFeedback(payload: unknown, deps: JobDeps): Promise<void> {
  const { projectId } = payload as { projectId: string }
  const { free, matters } = await withProject(deps, projectId, async (db, { memory }) => {
    const free = (await listFree(db, projectId, MAX_QUOTES)).filter((one) => memory.get(keyIn(one)))
    return { free, matters: free.map((one) => memory.get(keyIn(one))!.matter) }
  })
  if (free.length < 2) return
  const numbers = await thread.run('groupTexts', matters, { deadlineMs: DEADLINE_MS })
  const groupOf = new Map(free.map(({ quoteId }, index) => [quoteId, numbers[index]!]))
  await withProject(deps, projectId, (db, project) => apply(deps, db, projectId, project, groupOf))
}

const keyIn = ({ itemId, matter }: Pick<Free, 'itemId' | 'matter'>) => keyOf(itemId, matter)

interface Work {
  ctx: TxCtx
  project: ProjectKnowledge
  before: Map<string, Free>
}

/** What is not free any more stays where it is. */
async function apply(
  deps: JobDeps,
  db: Tx,
  projectId: string,
  project: ProjectKnowledge,
  groupOf: ReadonlyMap<string, number>,
): Promise<void> {
  const found = await findProject(db, projectId)
  if (!found) return
  const ctx = operatorCtx({ ...deps, db }, found)
  await lockLinks(db, projectId)
  const free = (await listFree(db, projectId, MAX_QUOTES)).filter((one) => groupOf.has(one.quoteId))
  const before = new Map(free.map((one) => [one.quoteId, one]))
  const sizes = new Map<string, number>()
  for (const { themeId } of free) sizes.set(themeId, (sizes.get(themeId) ?? 0) + 1)
  const placements = free.map(({ quoteId, themeId }) => ({ itemId: quoteId, themeId }))
  const changing = planGroups(
    placements,
    free.map((one) => groupOf.get(one.quoteId)!),
  ).filter(
    ({ themeId, items }) =>
      themeId === undefined ||
      items.length !== sizes.get(themeId) ||
      items.some((id) => before.get(id)!.themeId !== themeId),
  )
  const themeIds = new Set(changing.flatMap((one) => one.items.map((id) => before.get(id)!.themeId)))
  // A person changed one of them at this moment. The next review takes up what is left.
  if ((await lockFreeThemes(db, projectId, [...themeIds])) < themeIds.size) return
  const work = { ctx, project, before }
  const wentTo = new Map<string, string>()
  for (const group of changing) for (const { from, to } of await moveInto(work, group)) wentTo.set(from, to)
  await endEmptied(work, wentTo)
}

async function moveInto({ ctx, project, before }: Work, group: Group) {
  const { memory, themes } = project
  const kept = group.themeId
  const newcomers = group.items.filter((id) => before.get(id)!.themeId !== kept)
  const { projectId } = ctx.actor
  const keys = group.items.map((id) => keyIn(before.get(id)!))
  const { titles, ...words } = describeGroup(memory, keys)
  const values = { ...words, description: '', markdownContent: '', status: 'unresolved' as const }
  const created = kept === undefined ? await createTheme(ctx, values) : undefined
  const themeId = kept ?? created!.id
  const moves = newcomers.map((quoteId) => ({ quoteId, to: themeId }))
  const moved = moves.length > 0 ? await moveFreeQuotes(ctx.db, projectId, moves) : []
  for (const { quoteId, to } of moved) {
    const entry = memory.get(keyIn(before.get(quoteId)!))
    if (entry) memory.put({ ...entry, themeId: to })
  }
  const reasons = explain(memory, before, group.items)
  await setQuoteReason(ctx.db, projectId, reasons)
  const mark = kept === undefined ? undefined : themes.get(kept)
  const isRenamed =
    mark !== undefined && (!titles.has(mark.title) || moved.length >= group.items.length * RENAME_FROM_SHARE)
  if (isRenamed) await changeTheme(ctx, themeId, words)
  const into = {
    theme_id: themeId,
    theme_number: created?.themeNumber ?? mark?.themeNumber,
    title: created || isRenamed ? words.title : mark?.title,
  }
  await recordEvents(
    ctx,
    moved.flatMap((one) => moveEvents(one, into, reasons)),
  )
  if (created) await recordSplits(ctx, moved, into)
  return moved
}

/** Says anew why each report is where it is now. */
function explain(memory: ProjectKnowledge['memory'], before: Map<string, Free>, quoteIds: string[]) {
  return quoteIds.map((id) => {
    const one = before.get(id)!
    const { score, shared } = memory.standingOf(keyIn(one))
    const matter = memory.get(keyIn(one))?.matter
    const reason = score > 0 && matter ? joinedBecause(writtenAs(shared, matter), score) : openedBecause(0)
    return { id, matter: one.matter, reason }
  })
}

function moveEvents(move: Moved, into: object, reasons: { id: string; reason: string }[]) {
  const { quoteId, itemId, feedbackNumber, from, to, isEnded } = move
  const reason = reasons.find((one) => one.id === quoteId)?.reason
  const payload = { feedback_item_id: itemId, quote_id: quoteId, regrouped: true, reason }
  const unlinked = { kind: 'theme.feedback_unlinked', subjectType: 'theme', subjectId: from, payload }
  const about = {
    subjectType: 'feedback_item',
    subjectId: itemId,
    payload: { ...into, feedback_number: feedbackNumber, from_theme_id: from, reason },
  }
  const regrouped = { kind: 'feedback_item.regrouped', ...about }
  if (isEnded) return [unlinked, regrouped]
  return [unlinked, { kind: 'theme.feedback_linked', subjectType: 'theme', subjectId: to, payload }, regrouped]
}

async function recordSplits(ctx: TxCtx, moved: Moved[], into: object): Promise<void> {
  const from = new Map<string, number>()
  for (const one of moved) from.set(one.from, (from.get(one.from) ?? 0) + 1)
  await recordEvents(
    ctx,
    [...from].map(([id, count]) => ({
      kind: 'theme.split',
      subjectType: 'theme',
      subjectId: id,
      payload: { ...into, feedback_count: count, reason: unlikeBecause() },
    })),
  )
}

async function endEmptied({ ctx, project }: Work, wentTo: Map<string, string>): Promise<void> {
  const emptied = await listEmptyThemes(ctx.db, ctx.actor.projectId, [...wentTo.keys()])
  for (const { id, themeNumber, title } of emptied) {
    const into = wentTo.get(id)!
    const keys = project.memory.membersOf(into).map((one) => one.key)
    const reason = alikeBecause(project.memory.middleOf(keys)?.likeness ?? 0)
    const payload = { theme_id: id, theme_number: themeNumber, title, reason }
    await recordEvents(ctx, [{ kind: 'theme.merged', subjectType: 'theme', subjectId: into, payload }])
    await deleteTheme(ctx, id)
  }
}

/** Names a group after its most central matter and gives it the most common type. */
function describeGroup(memory: TriageMemory, keys: readonly string[]) {
  const matters = keys.flatMap((key) => memory.get(key)?.matter ?? [])
  const { middle } = memory.middleOf(keys)!
  const types = matters.map((one) => one.type).filter((one) => one !== 'other')
  return {
    title: middle.matter.title,
    type: mostFrequent(types) ?? ('other' as const),
    priority: prevailing(matters.map((one) => one.priority)),
    titles: new Set(matters.map((one) => one.title)),
  }
}

/**
 * Returns the highest priority that at least a quarter of the matters reach: one angry customer does not make a theme
 * urgent, five of twenty do.
 */
function prevailing(priorities: Priority[]): Priority {
  const ranks = priorities.map((one) => THEME_PRIORITIES.indexOf(one)).sort((a, b) => b - a)
  return THEME_PRIORITIES[ranks[Math.ceil(ranks.length / 4) - 1] ?? 0]!
}

function mostFrequent<T>(values: T[]): T | undefined {
  const counts = new Map<T, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0]
}
