import type { Db } from '../../kernel/database.ts'
import { readItemTexts } from '../item-queries.ts'
import { readPrior } from './background.ts'
import { type FeatureReader, type Features, loadFeatureReader } from './features.ts'
import { TriageMemory } from './memory.ts'
import { countThemes, listPlaced, listThemeMarks, readFeatures, storeFeatures, type ThemeMark } from './store.ts'

const ASSETS = new URL('../../../assets/', import.meta.url)
/** What is not used for so long is given back; it can be read again. */
const FORGET_AFTER_MS = 10 * 60_000

export interface Knowledge {
  reader: FeatureReader
  prior: Float32Array
  projects: Map<string, ProjectKnowledge>
}

export interface ProjectKnowledge {
  memory: TriageMemory
  themes: Map<string, ThemeMark>
}

let known: Promise<Knowledge> | undefined
let timer: NodeJS.Timeout | undefined

/** The models and what is remembered of projects. Nothing of it is in memory before the first item is sorted. */
export function useKnowledge(): Promise<Knowledge> {
  clearTimeout(timer)
  timer = setTimeout(() => {
    known = undefined
  }, FORGET_AFTER_MS)
  timer.unref()
  known ??= loadFeatureReader(ASSETS).then((reader) => ({ reader, prior: readPrior(reader), projects: new Map() }))
  known.catch(() => {
    known = undefined
  })
  return known
}

/** What is remembered of a project, brought up to date with what is stored. */
export async function recall(db: Db, knowledge: Knowledge, projectId: string): Promise<ProjectKnowledge> {
  const { reader, prior, projects } = knowledge
  let project = projects.get(projectId)
  if (!project) {
    project = { memory: new TriageMemory({ prior, rarity: reader.rarity }), themes: new Map() }
    projects.set(projectId, project)
  }
  const { memory, themes } = project
  const { changed, gone } = await findChanges(db, projectId, themes)
  const doubtful = [...gone, ...changed.map((mark) => mark.id)]
  if (doubtful.length === 0) return project

  const placed = await listPlaced(
    db,
    projectId,
    changed.map((mark) => mark.id),
  )
  const members = doubtful.flatMap((id) => [...memory.membersOf(id)])
  const features = new Map<string, Features>(members.map((one) => [one.itemId, one]))
  const unknown = placed.map((one) => one.itemId).filter((id) => !features.has(id))
  for (const id of unknown) {
    const one = memory.get(id)
    if (one) features.set(id, one)
  }
  await addFeatures(
    db,
    reader,
    projectId,
    unknown.filter((id) => !features.has(id)),
    features,
  )
  for (const { itemId } of members) memory.forget(itemId)
  for (const id of gone) themes.delete(id)
  for (const mark of changed) themes.set(mark.id, mark)
  for (const one of placed) {
    if (memory.get(one.itemId)?.isPinned && !one.isPinned) continue
    memory.put({ ...features.get(one.itemId)!, ...one })
  }
  return project
}

/** A transaction that began before others may be committed after them. */
const OVERLAP_MS = 5 * 60_000

async function findChanges(db: Db, projectId: string, themes: Map<string, ThemeMark>) {
  const isChanged = (mark: ThemeMark) => themes.get(mark.id)?.updatedAt !== mark.updatedAt
  if (themes.size > 0) {
    let latest = 0
    for (const { updatedAt } of themes.values()) latest = Math.max(latest, Date.parse(updatedAt))
    const recent = await listThemeMarks(db, projectId, new Date(latest - OVERLAP_MS).toISOString())
    const added = recent.filter((mark) => !themes.has(mark.id)).length
    if ((await countThemes(db, projectId)) === themes.size + added)
      return { changed: recent.filter(isChanged), gone: [] }
  }
  const all = await listThemeMarks(db, projectId)
  const there = new Set(all.map((mark) => mark.id))
  return { changed: all.filter(isChanged), gone: [...themes.keys()].filter((id) => !there.has(id)) }
}

async function addFeatures(
  db: Db,
  reader: FeatureReader,
  projectId: string,
  itemIds: string[],
  into: Map<string, Features>,
): Promise<void> {
  if (itemIds.length === 0) return
  for (const [id, features] of await readFeatures(db, projectId, itemIds)) into.set(id, features)
  const texts = await readItemTexts(
    db,
    projectId,
    itemIds.filter((id) => !into.has(id)),
  )
  for (const { id, markdownContent } of texts) {
    const features = reader.read(markdownContent)
    await storeFeatures(db, projectId, id, features)
    into.set(id, features)
  }
}
