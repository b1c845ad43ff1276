import type { TxCtx } from '../../../kernel/context.ts'
import type { Tx } from '../../../kernel/database/index.ts'
import { enqueueOnce } from '../../../kernel/jobs/jobs.ts'
import type { JobDeps } from '../../../kernel/slice.ts'
import { memberCtx } from '../../projects/index.ts'
import { displayFeedbackNumber, type FeedbackItem } from '../items/feedback-item.ts'
import { findItem } from '../items/item-queries.ts'
import { linkItem } from '../themes/quotes.ts'
import { displayThemeNumber } from '../themes/theme.ts'
import { createTheme } from '../themes/themes.ts'
import { embeddingsSettings } from './embeddings.ts'
import { type ProjectKnowledge, withProject } from './knowledge.ts'
import { readTexts } from './read-texts.ts'
import type { Matter } from './reading.ts'
import { listTexts, type StoredReading, setQuoteReason, storeReadings } from './triage-queries.ts'
import { joinedBecause, LIKE_SET_ASIDE, openedBecause, UNSORTED } from './wording.ts'

interface TriageRequest {
  projectId: string
  itemId: string
  ownerId: string
  runId: string
}

interface Change {
  action: string
  resourceType: string
  resourceId: string
  title: string
}

interface Outcome {
  reason: string
  changes: Change[]
}

export const REGROUP = 'regroup_feedback'
/** More items take longer to regroup. */
const REGROUP_AFTER_MS = 2_000
const REGROUP_AFTER_MS_AN_ITEM = 5

/** Puts each matter of an item into the theme it belongs to, or opens a new theme, without a model. */
export async function triageItem(deps: JobDeps, request: TriageRequest, signal?: AbortSignal): Promise<Outcome> {
  const { projectId, itemId } = request
  const server = deps.wiring.settings.of(embeddingsSettings)
  const [reading] = await readTexts(server, projectId, await listTexts(deps.db, projectId, [itemId]))
  if (!reading) throw new Error('There is no such feedback item any more.')
  const sort = async (db: Tx, project: ProjectKnowledge) => {
    const ctx = await ownerCtx(deps, db, request)
    await storeReadings(db, projectId, [reading])
    const item = (await findItem(db, projectId, itemId))!
    const theme = item.context.find((one) => one.resourceType === 'theme')
    if (theme) return alreadySorted(item, project, theme.resourceId)
    const outcome = await place(ctx, project, item, reading)
    await regroupLater(db, projectId, project.memory.size)
    return outcome
  }
  return withProject(deps, projectId, sort, { signal })
}

/** Once for all items that are sorted until then. */
function regroupLater(db: Tx, projectId: string, size: number) {
  const afterMs = Math.max(REGROUP_AFTER_MS, size * REGROUP_AFTER_MS_AN_ITEM)
  return enqueueOnce(db, REGROUP, { projectId }, { key: `${REGROUP} ${projectId}`, afterMs, restarts: false })
}

async function ownerCtx(deps: JobDeps, db: Tx, { projectId, ownerId, runId }: TriageRequest): Promise<TxCtx> {
  const ctx = await memberCtx({ ...deps, db }, { projectId, userId: ownerId, origin: 'automation' }, runId)
  if (!ctx) throw new Error('The owner of the automation is no longer a member of the project.')
  return ctx
}

function alreadySorted(item: FeedbackItem, { themes }: ProjectKnowledge, themeId: string): Outcome {
  const mark = themes.get(themeId)
  const name = mark ? ` ${displayThemeNumber(mark.themeNumber)} "${mark.title}"` : ' a theme'
  return { reason: `${displayFeedbackNumber(item.feedbackNumber)} is in${name} already.`, changes: [] }
}

async function place(
  ctx: TxCtx,
  project: ProjectKnowledge,
  item: FeedbackItem,
  { verdict, matters }: StoredReading,
): Promise<Outcome> {
  const name = displayFeedbackNumber(item.feedbackNumber)
  if (verdict !== 'feedback') return { reason: `${name}: ${UNSORTED[verdict]}`, changes: [] }
  const placed: Outcome[] = []
  for (const [index, matter] of matters.entries()) placed.push(await placeMatter(ctx, project, item, matter, index))
  return {
    reason: placed.map((one) => `${name} ${one.reason}`).join('\n'),
    changes: placed.flatMap((one) => one.changes),
  }
}

async function placeMatter(
  ctx: TxCtx,
  { memory, themes, lessons }: ProjectKnowledge,
  item: FeedbackItem,
  matter: Matter,
  index: number,
): Promise<Outcome> {
  const decision = await memory.decide(matter, lessons, item.id)
  if (decision.isSetAside) return { reason: `stays unsorted. ${LIKE_SET_ASIDE}`, changes: [] }
  const joined = decision.themeId === undefined ? undefined : themes.get(decision.themeId)
  const reason = joined ? joinedBecause(decision.shared, decision.score) : openedBecause(decision.score)
  const { title, type, priority, excerpt } = matter
  const theme = joined ?? (await createTheme(ctx, { title, type, priority }))
  const { quote, isNew } = await linkItem(ctx, theme.id, item.id, excerpt)
  if (isNew) await setQuoteReason(ctx.db, ctx.actor.projectId, [{ id: quote.id, matter: index, reason }])
  const change = { resourceType: 'theme', resourceId: theme.id, title: theme.title }
  return {
    reason: `${joined ? 'joins' : 'opens'} ${displayThemeNumber(theme.themeNumber)} "${theme.title}". ${reason}`,
    changes: [...(joined ? [] : [{ action: 'created', ...change }]), { action: 'feedback_linked', ...change }],
  }
}
