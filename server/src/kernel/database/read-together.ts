import type { Db } from './index.ts'

type ReadMany<T> = (db: Db, projectId: string, ids: string[]) => Promise<Map<string, T>>
type ReadOne<T> = (db: Db, projectId: string, id: string) => Promise<T | undefined>

/** The callers that wait for each id. */
type Waiting<T> = Map<string, { resolve: (thing: T | undefined) => void; reject: (err: unknown) => void }[]>

/** Further ids go into another statement, so that no caller waits for a very large one. */
const MAX_IDS = 64

/**
 * Combines reads by id that are requested in the same turn of the event loop into one statement. A single caller loses
 * nothing; concurrent callers share a round trip (`get` with 32 connections in `bench/run.mjs`).
 */
export function readTogether<T>(readMany: ReadMany<T>): ReadOne<T> {
  const collecting = new WeakMap<Db, Map<string, Waiting<T>>>()
  let underWay = 0

  function startCollecting(db: Db, projectId: string): Waiting<T> {
    const waiting: Waiting<T> = new Map()
    const byProject = collecting.get(db) ?? new Map<string, Waiting<T>>()
    collecting.set(db, byProject)
    byProject.set(projectId, waiting)
    setImmediate(() => {
      if (byProject.get(projectId) === waiting) byProject.delete(projectId)
      answer(waiting, counted(readMany(db, projectId, [...waiting.keys()])))
    })
    return waiting
  }

  async function counted<R>(reading: Promise<R>): Promise<R> {
    underWay++
    try {
      return await reading
    } finally {
      underWay--
    }
  }

  return async (db, projectId, anyCaseId) => {
    const id = anyCaseId.toLowerCase()
    // A single reader does not wait for others.
    if (underWay === 0 && !collecting.get(db)?.size) return (await counted(readMany(db, projectId, [id]))).get(id)
    let waiting = collecting.get(db)?.get(projectId)
    if (!waiting || waiting.size === MAX_IDS) waiting = startCollecting(db, projectId)
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
