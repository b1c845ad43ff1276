import type { Ctx } from '../../../kernel/context.ts'
import { inTransaction } from '../../../kernel/database/index.ts'
import { enqueueOnce } from '../../../kernel/jobs/jobs.ts'
import type { JobDeps } from '../../../kernel/slice.ts'
import { embeddingsSettings, encoderOf } from '../triage/embeddings.ts'
import { type ProjectKnowledge, withProject } from '../triage/knowledge.ts'
import { readTexts } from '../triage/read-texts.ts'
import { listTexts, type StoredReading } from '../triage/triage-queries.ts'
import { listReadings, requestSuggestions, type Suggestion, storeSuggestions } from './suggestion-queries.ts'

export const SUGGEST = 'suggest_themes'
const MAX_THEMES = 4
const MAX_SIMILAR = 4
/** Somebody waits. Each computation reads so many more of what triage has never read, such as imported feedback. */
const MOST_UNREAD = 256

/** Has the suggestions computed for what somebody looks at. Jobs of a project run one after the other. */
export async function suggestSoon(ctx: Ctx, itemIds: string[]): Promise<void> {
  if (itemIds.length === 0) return
  await inTransaction(ctx, async ({ db, actor: { projectId } }) => {
    const wanted = await requestSuggestions(db, projectId, itemIds)
    if (wanted.length === 0) return
    const queue = `${SUGGEST} ${projectId}`
    await enqueueOnce(db, SUGGEST, { projectId, itemIds: wanted }, { key: `${queue} ${wanted[0]}`, afterMs: 0, queue })
  })
}

/** Compares reports with what is in the themes, in the same way as triage. It changes nothing but the suggestions. */
export async function suggestThemes(payload: unknown, deps: JobDeps): Promise<void> {
  const { projectId, itemIds } = payload as { projectId: string; itemIds: string[] }
  const server = deps.wiring.settings.of(embeddingsSettings)
  const known = (await listReadings(deps.db, projectId, itemIds)).filter((one) => one.encoder === encoderOf(server))
  const unread = itemIds.filter((id) => !known.some((one) => one.itemId === id))
  const texts = unread.length > 0 ? await listTexts(deps.db, projectId, unread) : []
  const readings = [...known, ...(texts.length > 0 ? await readTexts(server, projectId, texts) : [])]
  await withProject(
    deps,
    projectId,
    async (db, project) => {
      const suggestions: Suggestion[] = []
      for (const reading of readings) suggestions.push(await suggestionFor(project, reading))
      await storeSuggestions(db, projectId, suggestions)
    },
    { mostUnread: MOST_UNREAD },
  )
}

/** The nearest themes to any of its matters. A theme that is near to several has the words of the nearest. */
async function suggestionFor({ memory, lessons }: ProjectKnowledge, reading: StoredReading): Promise<Suggestion> {
  const themes = new Map<string, Suggestion['themes'][number]>()
  const similar = new Map<string, number>()
  for (const matter of reading.matters) {
    const near = await memory.rank(matter, lessons, reading.itemId)
    for (const { themeId, score, isNear, shared } of near.themes)
      if (score > (themes.get(themeId)?.score ?? 0))
        themes.set(themeId, { theme_id: themeId, score, is_near: isNear, shared, excerpt: matter.excerpt })
    for (const { itemId, score } of near.similar) similar.set(itemId, Math.max(score, similar.get(itemId) ?? 0))
  }
  return {
    itemId: reading.itemId,
    themes: [...themes.values()]
      .sort((a, b) => Number(b.is_near) - Number(a.is_near) || b.score - a.score)
      .slice(0, MAX_THEMES),
    similar: [...similar]
      .map(([item_id, score]) => ({ item_id, score }))
      .sort((a, b) => b.score - a.score)
      .slice(0, MAX_SIMILAR),
  }
}
