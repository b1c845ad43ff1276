import { rarityIn } from '../../engines/meaning/features.ts'
import type { Prior } from '../../engines/meaning/space.ts'
import { type Db, inTransaction, sendTogether, type Tx } from '../../kernel/database/index.ts'
import type { JobDeps } from '../../kernel/slice.ts'
import { type EmbeddingsServer, embeddingsPrior, embeddingsSettings } from './embeddings.ts'
import { keyOf, type Lesson, TriageMemory } from './memory.ts'
import { readLanguage, readUnread, wantedEncoder } from './read-texts.ts'
import {
  countThemes,
  findReadings,
  listLessons,
  listPlaced,
  listThemeMarks,
  lockTriage,
  type Placed,
  type StoredReading,
  type ThemeMark,
} from './triage-queries.ts'

/** Memory that is unused for this long is freed. It can be read again. */
const FORGET_AFTER_MS = 10 * 60_000
const MAX_LESSONS = 300

export interface Knowledge {
  server: EmbeddingsServer | undefined
  /** Those of all encoders that texts may have been read with. */
  priors: Prior[]
  rarities: ReadonlyMap<string, number>
  rarity(term: string): number
  projects: Map<string, ProjectKnowledge>
}

export interface ProjectKnowledge {
  memory: TriageMemory
  themes: Map<string, ThemeMark>
  lessons: Lesson[]
  /** The themed items whose texts have not been read yet. */
  unread: Placed[]
  /** True if another encoder than the wanted one read some of the texts. */
  isReadOtherwise: boolean
}

let known: Promise<Knowledge> | undefined
let timer: NodeJS.Timeout | undefined

/** Loads the models and keeps what is known of each project. Nothing is loaded before the first item is sorted. */
export async function useKnowledge({ wiring }: JobDeps): Promise<Knowledge> {
  clearTimeout(timer)
  timer = setTimeout(() => {
    known = undefined
  }, FORGET_AFTER_MS)
  timer.unref()
  const server = wiring.settings.of(embeddingsSettings)
  known ??= readLanguage().then(({ prior, rarities }) => ({
    server,
    priors: [prior],
    rarities,
    rarity: rarityIn(rarities),
    projects: new Map(),
  }))
  known.catch(() => {
    known = undefined
  })
  const knowledge = await known
  if (knowledge.server !== server) {
    knowledge.server = server
    knowledge.projects.clear()
  }
  if (server && !knowledge.priors.some((one) => one.encoder === wantedEncoder(server))) {
    const prior = await embeddingsPrior(server)
    if (prior) knowledge.priors.push(prior)
  }
  return knowledge
}

interface Access {
  db: Db
  knowledge: Knowledge
  projectId: string
  signal?: AbortSignal | undefined
}

/**
 * Runs with what is known of a project, in a transaction that holds its lock. Unread texts are read first. Items that
 * enter themes meanwhile wait for the next run, because catching up might never end.
 */
export async function withProject<T>(
  access: Access,
  run: (db: Tx, project: ProjectKnowledge) => Promise<T>,
  mayLeaveOut = false,
): Promise<T> {
  const { knowledge, projectId, signal } = access
  const { unread, value } = await inTransaction(access, async ({ db }) => {
    await lockTriage(db, projectId)
    const project = await recall(db, knowledge, projectId)
    if (project.unread.length > 0 && !mayLeaveOut) return { unread: project.unread }
    return { value: await run(db, project) }
  })
  if (!unread) return value
  const itemIds = unread.map((one) => one.itemId)
  await readUnread(access.db, knowledge.server, projectId, itemIds, signal)
  return withProject(access, run, true)
}

/** Brings the memory of a project up to date with what is stored. The caller holds its lock. */
async function recall(db: Db, knowledge: Knowledge, projectId: string): Promise<ProjectKnowledge> {
  const { priors, rarity, projects } = knowledge
  let project = projects.get(projectId)
  if (!project) {
    const memory = new TriageMemory({ priors, rarity })
    project = { memory, themes: new Map(), lessons: [], unread: [], isReadOtherwise: false }
    projects.set(projectId, project)
  }
  project.lessons = await recallLessons(db, projectId)
  const { changed, gone } = await findChanges(db, projectId, project)
  const doubtful = [...gone, ...changed.map((mark) => mark.id)]
  if (doubtful.length === 0) return project

  const { memory, themes } = project
  const changedIds = changed.map((mark) => mark.id)
  const placed = await listPlaced(db, projectId, changedIds)
  const members = doubtful.flatMap((id) => [...memory.membersOf(id)])
  const itemIds = [...new Set(placed.map((one) => one.itemId))]
  const readings = await findReadings(db, projectId, itemIds)
  for (const { key } of members) memory.forget(key)
  for (const id of gone) themes.delete(id)
  for (const mark of changed) themes.set(mark.id, mark)
  project.unread = placed.filter((one) => !readings.has(one.itemId))
  for (const one of placed) remember(memory, one, readings.get(one.itemId))
  const wanted = wantedEncoder(knowledge.server)
  project.isReadOtherwise ||= [...readings.values()].some((one) => one.encoder !== wanted && one.matters.length > 0)
  return project
}

function remember(
  memory: TriageMemory,
  { itemId, themeId, isPinned, matter }: Placed,
  reading: StoredReading | undefined,
) {
  for (const [index, one] of reading?.matters.entries() ?? []) {
    const key = keyOf(itemId, index)
    // A matter can be in several themes by hand. What people decided comes first.
    if ((matter !== null && matter !== index) || (memory.get(key)?.isPinned && !isPinned)) continue
    memory.put({ key, itemId, themeId, isPinned, matter: one })
  }
}

async function recallLessons(db: Db, projectId: string): Promise<Lesson[]> {
  const lessons = await listLessons(db, projectId, MAX_LESSONS)
  if (lessons.length === 0) return []
  const readings = await findReadings(db, projectId, [...new Set(lessons.map((one) => one.itemId))])
  return lessons.map((one) => ({ ...one, matters: readings.get(one.itemId)?.matters ?? [] }))
}

/** A transaction that starts before others can commit after them. */
const OVERLAP_MS = 5 * 60_000

async function findChanges(db: Db, projectId: string, project: ProjectKnowledge) {
  const { themes } = project
  const isChanged = (mark: ThemeMark) => themes.get(mark.id)?.updatedAt !== mark.updatedAt
  if (themes.size > 0) {
    let latest = 0
    for (const { updatedAt } of themes.values()) latest = Math.max(latest, Date.parse(updatedAt))
    const since = new Date(latest - OVERLAP_MS).toISOString()
    const [recent, count] = await sendTogether([listThemeMarks(db, projectId, since), countThemes(db, projectId)])
    const added = recent.filter((mark) => !themes.has(mark.id)).length
    if (project.unread.length === 0 && count === themes.size + added)
      return { changed: recent.filter(isChanged), gone: [] }
  }
  const all = await listThemeMarks(db, projectId)
  const there = new Set(all.map((mark) => mark.id))
  const incomplete = new Set(project.unread.map((one) => one.themeId))
  return {
    changed: all.filter((mark) => incomplete.has(mark.id) || isChanged(mark)),
    gone: [...themes.keys()].filter((id) => !there.has(id)),
  }
}
