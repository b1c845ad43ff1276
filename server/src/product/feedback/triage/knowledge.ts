import { type Db, inTransaction, type Tx } from '../../../kernel/database/index.ts'
import type { JobDeps } from '../../../kernel/slice.ts'
import { embeddingsSettings, encoderOf, isAway } from './embeddings.ts'
import { keyOf, TriageMemory } from './memory.ts'
import { readUnread } from './read-texts.ts'
import {
  type Lesson,
  listLessons,
  listPlaced,
  listThemeMarks,
  lockTriage,
  type Placed,
  type ThemeMark,
} from './triage-queries.ts'

/** What is unused for this long is freed. It can be read again. */
const FORGET_AFTER_MS = 10 * 60_000
const MAX_LESSONS = 300

export interface ProjectKnowledge {
  memory: TriageMemory
  /** The themes as they were when they were remembered. */
  themes: Map<string, ThemeMark>
  lessons: Lesson[]
  /** The themed items whose texts the wanted encoder has not read yet and could read now. */
  unread: string[]
}

const projects = new Map<string, Pick<ProjectKnowledge, 'memory' | 'themes'>>()
let timer: NodeJS.Timeout | undefined

/**
 * Runs with what is known of a project, in a transaction that holds its lock. Unread texts are read first. Items that
 * enter themes in the meantime wait for the next run, because catching up might never end. After an attempt that was rolled
 * back, the memory is read again: it may hold what was not stored. With `mostUnread`, only so many of the newest are read, for
 * a caller that cannot wait for hundreds of thousands.
 */
export async function withProject<T>(
  deps: JobDeps,
  projectId: string,
  run: (db: Tx, project: ProjectKnowledge) => Promise<T>,
  { signal, mostUnread = Number.POSITIVE_INFINITY }: { signal?: AbortSignal | undefined; mostUnread?: number } = {},
): Promise<T> {
  clearTimeout(timer)
  timer = setTimeout(() => projects.clear(), FORGET_AFTER_MS).unref()
  const server = deps.wiring.settings.of(embeddingsSettings)
  for (let mayLeaveOut = false; ; mayLeaveOut = true) {
    let attempts = 0
    const { unread, value } = await inTransaction(deps, async ({ db }) => {
      await lockTriage(db, projectId)
      if (attempts++ > 0) projects.delete(projectId)
      const project = await recall(db, projectId, encoderOf(server))
      if (project.unread.length > 0 && !mayLeaveOut) return { unread: project.unread }
      return { value: await run(db, project) }
    }).catch((err) => {
      projects.delete(projectId)
      throw err
    })
    if (!unread) return value
    await readUnread(deps.db, server, projectId, unread.slice(-mostUnread), signal)
  }
}

/** Brings the memory of a project up to date with what is stored. The caller holds its lock. */
async function recall(db: Db, projectId: string, wanted: string): Promise<ProjectKnowledge> {
  const known = projects.get(projectId) ?? { memory: new TriageMemory(), themes: new Map() }
  projects.set(projectId, known)
  const { memory, themes } = known
  const lessons = await listLessons(db, projectId, MAX_LESSONS)
  const marks = new Map((await listThemeMarks(db, projectId)).map((mark) => [mark.id, mark]))
  const changed = [...marks.values()].filter((mark) => themes.get(mark.id)?.updatedAt !== mark.updatedAt)
  const gone = [...themes.keys()].filter((id) => !marks.has(id))
  const changedIds = changed.map((mark) => mark.id)
  const placed = await listPlaced(db, projectId, changedIds)
  for (const id of [...gone, ...changedIds]) {
    for (const { key } of memory.membersOf(id)) memory.forget(key)
    themes.delete(id)
  }
  for (const mark of changed) themes.set(mark.id, mark)
  const unread = placed.filter((one) => one.encoder !== wanted)
  // A theme with unread texts counts as changed until they are read.
  for (const { themeId } of unread) themes.set(themeId, { ...marks.get(themeId)!, updatedAt: '' })
  for (const one of placed) remember(memory, one)
  const readable = unread.filter((one) => !isAway() || one.encoder === null)
  return { memory, themes, lessons, unread: readable.map((one) => one.itemId) }
}

function remember(memory: TriageMemory, { itemId, themeId, isPinned, matter, matters }: Placed) {
  for (const [index, one] of matters.entries()) {
    const key = keyOf(itemId, index)
    // A matter can be in several themes by hand. What people decided comes first.
    if ((matter !== null && matter !== index) || (memory.get(key)?.isPinned && !isPinned)) continue
    memory.put({ key, itemId, themeId, isPinned, matter: one })
  }
}
