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
import type { Matter } from './reading.ts'
import {
  type Free,
  listEmptyThemes,
  listFree,
  lockFreeThemes,
  type Moved,
  moveFreeQuotes,
  setQuoteReason,
} from './triage-queries.ts'
import { ALONE, alikeBecause, joinedBecause, unlikeBecause, writtenAs } from './wording.ts'

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
  before: ReadonlyMap<string, Free>
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
  await lockLinks(db, projectId)
  const free = (await listFree(db, projectId, MAX_QUOTES)).filter((one) => groupOf.has(one.quoteId))
  const work = {
    ctx: operatorCtx({ ...deps, db }, found),
    project,
    before: new Map(free.map((one) => [one.quoteId, one])),
  }
  const placements = free.map(({ quoteId, themeId }) => ({ itemId: quoteId, themeId }))
  const numbers = free.map((one) => groupOf.get(one.quoteId)!)
  const changing = planGroups(placements, numbers).filter((group) => isChange(work, group))
  const themeIds = new Set(changing.flatMap((one) => one.items.map((id) => work.before.get(id)!.themeId)))
  // A person changed one of them at this moment. The next review takes up what is left.
  if ((await lockFreeThemes(db, projectId, [...themeIds])) < themeIds.size) return
  const changes: Change[] = []
  for (const group of changing) changes.push(await move(work, group))
  // Why a report is where it is depends on what else is there, so all of them move first.
  for (const change of changes) await tell(work, change)
  await endEmptied(work, new Map(changes.flatMap((one) => one.moved.map(({ from, to }) => [from, to]))))
}

function isChange({ project, before }: Work, { themeId, items }: Group): boolean {
  const mark = themeId === undefined ? undefined : project.themes.get(themeId)
  if (!mark || items.some((id) => before.get(id)!.themeId !== themeId)) return true
  const { type, priority } = judge(mattersIn(project.memory, before, items))
  const others = [...before.values()].filter((one) => one.themeId === themeId)
  return others.length > items.length || mark.type !== type || mark.priority !== priority
}

const mattersIn = (memory: TriageMemory, before: ReadonlyMap<string, Free>, items: string[]) =>
  items.flatMap((id) => memory.get(keyIn(before.get(id)!))?.matter ?? [])

interface Change {
  items: string[]
  moved: Moved[]
  theme: { id: string; themeNumber: number; title: string; isNew: boolean }
}

async function move({ ctx, project: { memory, themes }, before }: Work, { themeId, items }: Group): Promise<Change> {
  const newcomers = items.filter((id) => before.get(id)!.themeId !== themeId)
  const matters = mattersIn(memory, before, items)
  const { middle } = memory.middleOf(items.map((id) => keyIn(before.get(id)!)))!
  const words = { ...judge(matters), title: middle.matter.title }
  const values = { ...words, description: '', markdownContent: '', status: 'unresolved' as const }
  const mark = themeId === undefined ? undefined : themes.get(themeId)
  const { id, themeNumber } = mark ?? (await createTheme(ctx, values))
  const isFitting =
    mark !== undefined &&
    matters.some((one) => one.title === mark.title) &&
    newcomers.length < items.length * RENAME_FROM_SHARE
  const title = isFitting ? mark.title : words.title
  if (mark) await changeTheme(ctx, id, { ...words, title })
  const moves = newcomers.map((quoteId) => ({ quoteId, to: id }))
  const moved = moves.length > 0 ? await moveFreeQuotes(ctx.db, ctx.actor.projectId, moves) : []
  for (const { quoteId, to } of moved) {
    const entry = memory.get(keyIn(before.get(quoteId)!))
    if (entry) memory.put({ ...entry, themeId: to })
  }
  return { items, moved, theme: { id, themeNumber, title, isNew: !mark } }
}

/** Says anew why each report is where it is now. */
async function tell({ ctx, project: { memory }, before }: Work, { items, moved, theme }: Change): Promise<void> {
  const reasons = items.map((id) => {
    const one = before.get(id)!
    const { score, shared } = memory.standingOf(keyIn(one))
    const matter = memory.get(keyIn(one))?.matter
    return {
      id,
      matter: one.matter,
      reason: score > 0 && matter ? joinedBecause(writtenAs(shared, matter), score) : ALONE,
    }
  })
  await setQuoteReason(ctx.db, ctx.actor.projectId, reasons)
  const into = { theme_id: theme.id, theme_number: theme.themeNumber, title: theme.title }
  const events = moved.flatMap((one) => moveEvents(one, into, reasons))
  await recordEvents(ctx, [...events, ...(theme.isNew ? splitEvents(moved, into) : [])])
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

function splitEvents(moved: Moved[], into: object) {
  const from = new Map<string, number>()
  for (const one of moved) from.set(one.from, (from.get(one.from) ?? 0) + 1)
  return [...from].map(([id, count]) => ({
    kind: 'theme.split',
    subjectType: 'theme',
    subjectId: id,
    payload: { ...into, feedback_count: count, reason: unlikeBecause() },
  }))
}

async function endEmptied({ ctx, project }: Work, wentTo: ReadonlyMap<string, string>): Promise<void> {
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

/** The most common type, and the priority of many. */
function judge(matters: Matter[]) {
  const types = matters.map((one) => one.type).filter((one) => one !== 'other')
  return {
    type: mostFrequent(types) ?? ('other' as const),
    priority: prevailing(matters.map((one) => one.priority)),
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
