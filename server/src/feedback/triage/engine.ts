import type { Features } from '../../engines/meaning/features.ts'
import type { TxCtx } from '../../kernel/context.ts'
import { sendTogether, type Tx } from '../../kernel/database/index.ts'
import { enqueueOnce } from '../../kernel/jobs/jobs.ts'
import type { JobDeps } from '../../kernel/slice.ts'
import { memberCtx } from '../../projects/index.ts'
import { displayFeedbackNumber, type FeedbackItem } from '../items/feedback-item.ts'
import { findItem } from '../items/item-queries.ts'
import { linkItem } from '../themes/quotes.ts'
import { displayThemeNumber } from '../themes/theme.ts'
import { createTheme } from '../themes/themes.ts'
import { priorityOf, typeOf } from './cues.ts'
import { type Knowledge, type ProjectKnowledge, useKnowledge, withProject } from './knowledge.ts'
import { readText } from './read-texts.ts'
import { countSorted, storeFeatures } from './triage-queries.ts'
import { excerptFrom, joinedReason, openedReason, titleFrom, wordsFor } from './wording.ts'

interface TriageRequest {
  projectId: string
  itemId: string
  ownerId: string
  runId: string
}

interface Outcome {
  reason: string
  changes: { action: string; resourceType: string; resourceId: string; title: string }[]
}

export const REGROUP = 'regroup_feedback'
/** Themes are regrouped after this many new items, or this share of all items, whichever is more. */
const REGROUP_AFTER = 15
const REGROUP_SHARE = 0.08
/** Themes are also regrouped after this long without a new item. More items take longer to regroup. */
const QUIET_MS = 2_000
const QUIET_MS_AN_ITEM = 2

/** Puts an item into the theme it belongs to, or opens a new theme, without a model. */
export async function triageItem(deps: JobDeps, request: TriageRequest, signal?: AbortSignal): Promise<Outcome> {
  const { projectId, itemId } = request
  const knowledge = await useKnowledge()
  const text = await findItem(deps.db, projectId, itemId)
  if (!text) throw new Error('There is no such feedback item any more.')
  const features = await readText(text.markdownContent)
  const access = { db: deps.db, knowledge, projectId, signal }
  return withProject(access, async (db, project) => {
    const ctx = await ownerCtx(deps, db, request)
    const [found] = await sendTogether([
      findItem(db, projectId, itemId),
      storeFeatures(db, projectId, [{ itemId, ...features }]),
    ])
    const item = found!
    const theme = item.context.find((one) => one.resourceType === 'theme')
    if (theme) return alreadySorted(item, project, theme.resourceId)
    await project.memory.prepare()
    const outcome = await place(ctx, knowledge, project, item, features)
    await lookOverLater(db, projectId, project.memory.size)
    return outcome
  })
}

async function lookOverLater(db: Tx, projectId: string, size: number): Promise<void> {
  const isDue = (await countSorted(db, projectId)) >= Math.max(REGROUP_AFTER, size * REGROUP_SHARE)
  const afterMs = isDue ? 0 : Math.max(QUIET_MS, size * QUIET_MS_AN_ITEM)
  await enqueueOnce(db, REGROUP, { projectId }, { key: `${REGROUP} ${projectId}`, afterMs })
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
  { rarity }: Knowledge,
  { memory, themes }: ProjectKnowledge,
  item: FeedbackItem,
  features: Features,
): Promise<Outcome> {
  const decision = memory.decide(features, item.id)
  const excerpt = excerptFrom(item.markdownContent, rarity)
  const about = { item: displayFeedbackNumber(item.feedbackNumber), score: decision.score }
  const joined = decision.themeId === undefined ? undefined : themes.get(decision.themeId)
  if (joined) {
    await linkItem(ctx, joined.id, item.id, excerpt)
    const shared = wordsFor(decision.shared, item.markdownContent)
    const theme = displayThemeNumber(joined.themeNumber)
    return {
      reason: joinedReason({ ...about, theme, title: joined.title, shared }),
      changes: [{ action: 'feedback_linked', resourceType: 'theme', resourceId: joined.id, title: joined.title }],
    }
  }
  const type = typeOf(item.markdownContent)
  const title = titleFrom(excerpt)
  const priority = priorityOf(item.markdownContent, type)
  const created = await createTheme(ctx, {
    title,
    description: '',
    markdownContent: '',
    status: 'unresolved',
    type,
    priority,
  })
  await linkItem(ctx, created.id, item.id, excerpt)
  const change = { resourceType: 'theme', resourceId: created.id, title }
  const near = decision.nearestItemId === undefined ? undefined : memory.get(decision.nearestItemId)
  const nearest = near && themes.get(near.themeId)
  return {
    reason: openedReason(
      { ...about, theme: displayThemeNumber(created.themeNumber), title, shared: [] },
      nearest && `${displayThemeNumber(nearest.themeNumber)} "${nearest.title}"`,
    ),
    changes: [
      { action: 'created', ...change },
      { action: 'feedback_linked', ...change },
    ],
  }
}
