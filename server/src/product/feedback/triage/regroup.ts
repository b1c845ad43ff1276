import type { TxCtx } from '../../../kernel/context.ts'
import type { Tx } from '../../../kernel/database/index.ts'
import { recordEvents } from '../../../kernel/events.ts'
import type { JobDeps } from '../../../kernel/slice.ts'
import { inThreads } from '../../../kernel/threads/threads.ts'
import { lockLinks } from '../../links/index.ts'
import { findProject, operatorCtx } from '../../projects/index.ts'
import { itemEvents, themeEvents } from '../events.ts'
import { THEME_PRIORITIES, THEME_TYPES, type Theme, type ThemeType } from '../themes/theme.ts'
import { changeTheme, createTheme, deleteTheme } from '../themes/themes.ts'
import { type Group, planGroups } from './grouping.ts'
import { type ProjectKnowledge, withProject } from './knowledge.ts'
import { keyOf, type Remembered, type TriageMemory } from './memory.ts'
import type { Matter } from './reading.ts'
import {
  type Free,
  listFree,
  lockFreeThemes,
  moveQuotes,
  recountQuotes,
  setQuoteReason,
  type ThemeMark,
} from './triage-queries.ts'
import { ALONE, alikeBecause, joinedBecause, UNLIKE } from './wording.ts'

/** Themes that have not changed for long stay as they are: regrouping more would take too long. */
const MAX_QUOTES = 2_000
/** A theme is renamed when at least this share of its items is new. */
const RENAME_FROM_SHARE = 0.5
const DEADLINE_MS = 120_000

const thread = inThreads<typeof import('./grouping.ts')>(new URL('./grouping.js', import.meta.url), { maxThreads: 1 })

/** The number of the group for each of some texts. */
export const groupInThread = (projectId: string, matters: Matter[]) =>
  thread.run(projectId, 'groupTexts', matters, { deadlineMs: DEADLINE_MS })

/** A quote that may be regrouped, with what it is about. */
interface Candidate extends Free {
  entry: Remembered
}

/**
 * Regroups the themes that triage made and nobody has touched: it merges those about the same thing and splits those
 * about several. It leaves alone what a person has touched.
 */
export async function regroupFeedback(payload: unknown, deps: JobDeps): Promise<void> {
  const { projectId } = payload as { projectId: string }
  const all = await withProject(deps, projectId, (db, { memory }) => listCandidates(db, projectId, memory))
  if (all.length < 2) return
  const matters = all.map((one) => one.entry.matter)
  const numbers = await groupInThread(projectId, matters)
  const groupOf = new Map(all.map(({ quoteId }, index) => [quoteId, numbers[index]!]))
  await withProject(deps, projectId, async (db, project) => {
    const found = await findProject(db, projectId)
    if (found) await apply(operatorCtx({ ...deps, db }, found), project, groupOf)
  })
}

async function listCandidates(db: Tx, projectId: string, memory: TriageMemory): Promise<Candidate[]> {
  const free = await listFree(db, projectId, MAX_QUOTES)
  return free.flatMap((one) => {
    const entry = memory.get(keyOf(one.itemId, one.matter))
    // Otherwise its text is unread, or a person put the same matter into another theme as well.
    return entry?.themeId === one.themeId ? [{ ...one, entry }] : []
  })
}

/** What is not free any more stays where it is. */
async function apply(ctx: TxCtx, project: ProjectKnowledge, groupOf: ReadonlyMap<string, number>): Promise<void> {
  const { db, actor } = ctx
  const { projectId } = actor
  await lockLinks(db, projectId)
  const all = (await listCandidates(db, projectId, project.memory)).filter((one) => groupOf.has(one.quoteId))
  const groups = planGroups(all, (one) => groupOf.get(one.quoteId)!)
  const changing = groups.filter((group) => isChange(project, all, group))
  const themeIds = new Set(changing.flatMap((group) => group.members.map((one) => one.themeId)))
  // A person changed one of them at this moment. The next review takes up what is left.
  if ((await lockFreeThemes(db, projectId, [...themeIds])) < themeIds.size) return
  const changes: Change[] = []
  for (const group of changing) changes.push(await move(ctx, project, group))
  // Why a report is where it is depends on what else is there, so all of them move first.
  for (const change of changes) await tell(ctx, project.memory, change)
  await endEmptied(ctx, project.memory, changes)
}

function isChange({ themes }: ProjectKnowledge, all: Candidate[], { themeId, members }: Group<Candidate>): boolean {
  const mark = themeId === undefined ? undefined : themes.get(themeId)
  if (!mark || members.some((one) => one.themeId !== themeId)) return true
  const { type, priority } = judge(members)
  const before = all.filter((one) => one.themeId === themeId)
  return before.length > members.length || mark.type !== type || mark.priority !== priority
}

interface Change {
  theme: Pick<ThemeMark, 'id' | 'themeNumber' | 'title'>
  isNew: boolean
  members: Candidate[]
  newcomers: Candidate[]
  /** The quotes of the newcomers that are in the theme now. The others have ended. */
  moved: Set<string>
}

async function move(ctx: TxCtx, project: ProjectKnowledge, { themeId, members }: Group<Candidate>): Promise<Change> {
  const { memory, themes } = project
  const mark = themeId === undefined ? undefined : themes.get(themeId)
  const newcomers = members.filter((one) => one.themeId !== themeId)
  const isFitting =
    members.some((one) => one.entry.matter.title === mark?.title) &&
    newcomers.length < members.length * RENAME_FROM_SHARE
  const { middle } = memory.middleOf(members.map((one) => one.entry.key))
  const values = { ...judge(members), title: mark && isFitting ? mark.title : middle.title }
  const theme = mark ? await changeTheme(ctx, mark.id, values) : await createTheme(ctx, values)
  const quoteIds = newcomers.map((one) => one.quoteId)
  const moved = await moveQuotes(ctx.db, ctx.actor.projectId, quoteIds, theme.id)
  for (const { entry } of newcomers) memory.put({ ...entry, themeId: theme.id })
  return { theme, isNew: !mark, members, newcomers, moved }
}

/** Says again why each report is where it is now. */
async function tell(ctx: TxCtx, memory: TriageMemory, change: Change): Promise<void> {
  const { theme, isNew, members, newcomers, moved } = change
  const reasons = new Map(members.map(({ quoteId, entry }) => [quoteId, reasonFor(memory, entry.key)]))
  const quotes = members.map(({ quoteId, matter }) => ({ id: quoteId, matter, reason: reasons.get(quoteId)! }))
  await setQuoteReason(ctx.db, ctx.actor.projectId, quotes)
  const into = { theme_id: theme.id, theme_number: theme.themeNumber, title: theme.title }
  const events = newcomers.flatMap(({ quoteId, itemId, feedbackNumber, themeId }) => {
    const reason = reasons.get(quoteId)
    const payload = { feedback_item_id: itemId, quote_id: quoteId, regrouped: true, reason }
    const about = { ...into, feedback_number: feedbackNumber, from_theme_id: themeId, reason }
    return [
      themeEvents.feedback_unlinked(themeId, payload),
      ...(moved.has(quoteId) ? [themeEvents.feedback_linked(theme.id, payload)] : []),
      itemEvents.regrouped(itemId, about),
    ]
  })
  const sources = new Set(isNew ? newcomers.map((one) => one.themeId) : [])
  const splits = [...sources].map((id) => themeEvents.split(id, { ...into, reason: UNLIKE }))
  await recordEvents(ctx, [...events, ...splits])
}

function reasonFor(memory: TriageMemory, key: string): string {
  const { score, shared } = memory.standingOf(key)
  return score > 0 ? joinedBecause(shared, score) : ALONE
}

async function endEmptied(ctx: TxCtx, memory: TriageMemory, changes: Change[]): Promise<void> {
  const wentTo = new Map(changes.flatMap(({ theme, newcomers }) => newcomers.map((one) => [one.themeId, theme.id])))
  const emptied = await recountQuotes(ctx.db, ctx.actor.projectId, [
    ...wentTo.keys(),
    ...changes.map((one) => one.theme.id),
  ])
  for (const { id, themeNumber, title } of emptied) {
    const into = wentTo.get(id)!
    const { likeness } = memory.middleOf(memory.membersOf(into).map((one) => one.key))
    const payload = { theme_id: id, theme_number: themeNumber, title, reason: alikeBecause(likeness) }
    await recordEvents(ctx, [themeEvents.merged(into, payload)])
    await deleteTheme(ctx, id)
  }
}

/** The most common type, and the highest priority that at least a quarter reach: one angry customer is not enough. */
function judge(members: Candidate[]): Pick<Theme, 'type' | 'priority'> {
  const matters = members.map((one) => one.entry.matter)
  const countOf = (type: ThemeType) => matters.filter((one) => one.type === type).length
  const types = THEME_TYPES.filter((type) => type !== 'other' && countOf(type) > 0)
  const ranks = matters.map((one) => THEME_PRIORITIES.indexOf(one.priority)).sort((a, b) => b - a)
  return {
    type: types.sort((a, b) => countOf(b) - countOf(a))[0] ?? 'other',
    priority: THEME_PRIORITIES[ranks[Math.ceil(ranks.length / 4) - 1]!]!,
  }
}
