import type { Features } from '../../engines/meaning/features.ts'
import { rarityIn } from '../../engines/meaning/word-vectors.ts'
import { type Db, inTransaction, sendTogether, type Tx } from '../../kernel/database/index.ts'
import { TriageMemory } from './memory.ts'
import { readLanguage, readUnread } from './read-texts.ts'
import {
  countThemes,
  listPlaced,
  listThemeMarks,
  lockTriage,
  type Placed,
  readFeatures,
  type ThemeMark,
} from './triage-queries.ts'

/** Memory that is unused for this long is freed. It can be read again. */
const FORGET_AFTER_MS = 10 * 60_000

export interface Knowledge {
  prior: Float32Array
  rarity(term: string): number
  projects: Map<string, ProjectKnowledge>
}

export interface ProjectKnowledge {
  memory: TriageMemory
  themes: Map<string, ThemeMark>
  /** Items in themes whose texts have not been read yet. */
  unread: Placed[]
}

let known: Promise<Knowledge> | undefined
let timer: NodeJS.Timeout | undefined

/** Loads the models and keeps what is known of each project. Nothing is loaded before the first item is sorted. */
export function useKnowledge(): Promise<Knowledge> {
  clearTimeout(timer)
  timer = setTimeout(() => {
    known = undefined
  }, FORGET_AFTER_MS)
  timer.unref()
  known ??= readLanguage().then(({ prior, rarities }) => ({ prior, rarity: rarityIn(rarities), projects: new Map() }))
  known.catch(() => {
    known = undefined
  })
  return known
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
  await readUnread(access.db, projectId, itemIds, signal)
  return withProject(access, run, true)
}

/** Brings the memory of a project up to date with what is stored. The caller holds its lock. */
async function recall(db: Db, { prior, rarity, projects }: Knowledge, projectId: string): Promise<ProjectKnowledge> {
  let project = projects.get(projectId)
  if (!project) {
    project = { memory: new TriageMemory({ prior, rarity }), themes: new Map(), unread: [] }
    projects.set(projectId, project)
  }
  const { memory, themes } = project
  const { changed, gone } = await findChanges(db, projectId, project)
  const doubtful = [...gone, ...changed.map((mark) => mark.id)]
  if (doubtful.length === 0) return project

  const placed = await listPlaced(
    db,
    projectId,
    changed.map((mark) => mark.id),
  )
  const members = doubtful.flatMap((id) => [...memory.membersOf(id)])
  const features = new Map<string, Features>()
  for (const { itemId } of placed) {
    const one = memory.get(itemId)
    if (one) features.set(itemId, one)
  }
  const unknown = placed.map((one) => one.itemId).filter((id) => !features.has(id))
  if (unknown.length > 0) for (const [id, one] of await readFeatures(db, projectId, unknown)) features.set(id, one)

  for (const { itemId } of members) memory.forget(itemId)
  for (const id of gone) themes.delete(id)
  for (const mark of changed) themes.set(mark.id, mark)
  project.unread = placed.filter((one) => !features.has(one.itemId))
  for (const one of placed) {
    const read = features.get(one.itemId)
    if (!read || (memory.get(one.itemId)?.isPinned && !one.isPinned)) continue
    memory.put({ ...read, ...one })
  }
  return project
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
