import { type Db, query } from './database.ts'

type ReadMany<T> = (db: Db, projectId: string, ids: string[]) => Promise<Map<string, T>>
type ReadOne<T> = (db: Db, projectId: string, id: string) => Promise<T | undefined>

export interface Reader<T> {
  readOne: ReadOne<T>
  readMany: ReadMany<T>
}

/** The callers that wait for each id. */
type Waiting<T> = Map<string, { resolve: (thing: T | undefined) => void; reject: (err: unknown) => void }[]>

/** More than this go into a statement of their own, so that no answer waits for a very large one. */
const MOST_TOGETHER = 64

/**
 * Reads by id that are asked for in the same turn of the event loop become one statement: a single caller loses
 * nothing, and many at once share what a round trip costs.
 */
export function readTogether<T>({ readOne, readMany }: Reader<T>): ReadOne<T> {
  const collecting = new WeakMap<Db, Map<string, Waiting<T>>>()
  let underWay = 0

  function startCollecting(db: Db, projectId: string): Waiting<T> {
    const waiting: Waiting<T> = new Map()
    const byProject = collecting.get(db) ?? new Map<string, Waiting<T>>()
    collecting.set(db, byProject)
    byProject.set(projectId, waiting)
    setImmediate(() => {
      if (byProject.get(projectId) === waiting) byProject.delete(projectId)
      answer(waiting, readCollected(db, projectId, [...waiting.keys()]))
    })
    return waiting
  }

  async function readCollected(db: Db, projectId: string, ids: string[]) {
    underWay++
    try {
      return await readMany(db, projectId, ids)
    } finally {
      underWay--
    }
  }

  async function readAlone(db: Db, projectId: string, id: string) {
    underWay++
    try {
      return await readOne(db, projectId, id)
    } finally {
      underWay--
    }
  }

  return (db, projectId, anyCaseId) => {
    const id = anyCaseId.toLowerCase()
    // Whoever is alone need not wait for company.
    if (underWay === 0 && !collecting.get(db)?.size) return readAlone(db, projectId, id)
    let waiting = collecting.get(db)?.get(projectId)
    if (!waiting || waiting.size === MOST_TOGETHER) waiting = startCollecting(db, projectId)
    const callers = waiting.get(id) ?? []
    waiting.set(id, callers)
    return new Promise((resolve, reject) => {
      callers.push({ resolve, reject })
    })
  }
}

function answer<T>(waiting: Waiting<T>, reading: Promise<Map<string, T>>) {
  reading.then(
    (found) => {
      for (const [id, callers] of waiting) for (const { resolve } of callers) resolve(found.get(id))
    },
    (err) => {
      for (const callers of waiting.values()) for (const { reject } of callers) reject(err)
    },
  )
}

/** A statement whose text goes as far as `id = `, for a project's things of some ids. */
export function selectByIds<Row extends object>(text: string) {
  const one = `${text} $2`
  // Written as a sub-select, the list of ids does not make PostgreSQL plan anew for every list.
  const many = `${text} any(array(select unnest($2::uuid[])))`
  return (db: Db, projectId: string, ids: string[]) =>
    ids.length === 1 ? query<Row>(db, one, [projectId, ids[0]]) : query<Row>(db, many, [projectId, ids])
}
