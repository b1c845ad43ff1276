import { DatabaseBusyError } from './failures.ts'

interface Waiting {
  resolve: () => void
  timer: NodeJS.Timeout
}

interface Lane {
  held: number
  waiting: Waiting[]
}

export interface Shares {
  /** Waits until the project may hold one more connection. */
  enter(project: string): Promise<void> | undefined
  leave(project: string): void
}

/**
 * Shares connections among projects. A project holds at most `perProject` at a time, all projects together at most
 * `total`. Waiting projects take turns; the requests of a project are served in the order of arrival.
 */
export function createShares(total: number, perProject: number, waitMs: number): Shares {
  const lanes = new Map<string, Lane>()
  /** The projects that have waiting requests, in the order of their turns. */
  const turns = new Set<string>()
  let held = 0

  const hasRoom = (lane: Lane) => held < total && lane.held < perProject

  function serve() {
    for (const project of turns) {
      if (held >= total) return
      const lane = lanes.get(project)!
      if (!hasRoom(lane)) continue
      const { resolve, timer } = lane.waiting.shift()!
      clearTimeout(timer)
      turns.delete(project)
      if (lane.waiting.length > 0) turns.add(project)
      held++
      lane.held++
      resolve()
    }
  }

  function giveUp(project: string, lane: Lane, waiting: Waiting) {
    lane.waiting.splice(lane.waiting.indexOf(waiting), 1)
    if (lane.waiting.length === 0) turns.delete(project)
    if (lane.waiting.length === 0 && lane.held === 0) lanes.delete(project)
  }

  return {
    enter(project) {
      const lane = lanes.get(project) ?? { held: 0, waiting: [] }
      lanes.set(project, lane)
      if (hasRoom(lane) && lane.waiting.length === 0) {
        held++
        lane.held++
        return undefined
      }
      turns.add(project)
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          giveUp(project, lane, waiting)
          reject(new DatabaseBusyError())
        }, waitMs)
        const waiting = { resolve, timer }
        lane.waiting.push(waiting)
      })
    },
    leave(project) {
      const lane = lanes.get(project)!
      held--
      lane.held--
      if (lane.held === 0 && lane.waiting.length === 0) lanes.delete(project)
      serve()
    },
  }
}
