interface Lane<T> {
  held: number
  waiting: T[]
}

interface TurnOptions<T> {
  /** How many tasks run at once, of all projects together and of one. */
  total: number
  perProject: number
  /** Starts a task. Returns false if it cannot start yet; it is then asked again whenever another task ends. */
  begin(task: T): boolean
}

export interface Turns<T> {
  /** Begins the task now, or in its turn. */
  add(project: string, task: T): void
  /** Takes back a task that has not begun. */
  remove(project: string, task: T): void
  /** Call it when a task that has begun is over. */
  end(project: string): void
  waitingOf(project: string): number
}

/**
 * Shares something scarce among projects. A project has at most `perProject` tasks at a time, all projects together at
 * most `total`. Waiting projects take turns; the tasks of a project begin in the order of arrival.
 */
export function createTurns<T>({ total, perProject, begin }: TurnOptions<T>): Turns<T> {
  const lanes = new Map<string, Lane<T>>()
  /** The projects that have waiting tasks, in the order of their turns. */
  const turns = new Set<string>()
  let held = 0

  const hasRoom = (lane: Lane<T>) => held < total && lane.held < perProject

  function started(lane: Lane<T>, task: T): boolean {
    held++
    lane.held++
    if (begin(task)) return true
    held--
    lane.held--
    return false
  }

  function serve(): void {
    // A project that is put back at the end is visited again, as long as there is room.
    for (const project of turns) {
      if (held >= total) return
      const lane = lanes.get(project)!
      if (!hasRoom(lane)) continue
      const task = lane.waiting.find((one) => started(lane, one))
      if (task === undefined) continue
      lane.waiting.splice(lane.waiting.indexOf(task), 1)
      turns.delete(project)
      if (lane.waiting.length > 0) turns.add(project)
    }
  }

  function forgetEmpty(project: string, lane: Lane<T>): void {
    if (lane.waiting.length > 0) return
    turns.delete(project)
    if (lane.held === 0) lanes.delete(project)
  }

  return {
    add(project, task) {
      const lane = lanes.get(project) ?? { held: 0, waiting: [] }
      lanes.set(project, lane)
      if (lane.waiting.length === 0 && hasRoom(lane) && started(lane, task)) return
      lane.waiting.push(task)
      turns.add(project)
    },
    remove(project, task) {
      const lane = lanes.get(project)
      const at = lane?.waiting.indexOf(task) ?? -1
      if (!lane || at < 0) return
      lane.waiting.splice(at, 1)
      forgetEmpty(project, lane)
    },
    end(project) {
      const lane = lanes.get(project)!
      held--
      lane.held--
      forgetEmpty(project, lane)
      serve()
    },
    waitingOf: (project) => lanes.get(project)?.waiting.length ?? 0,
  }
}

export interface Shares {
  /** Waits until the project may hold one more. Undefined if it may at once; resolves to false if `withinMs` passes first. */
  enter(project: string, withinMs: number): Promise<boolean> | undefined
  leave(project: string): void
}

/** Turns that last from `enter` to `leave`. */
export function createShares(options: { total: number; perProject: number }): Shares {
  const turns = createTurns<() => void>({
    ...options,
    begin(enter) {
      enter()
      return true
    },
  })
  return {
    enter(project, withinMs) {
      let hasEntered = false
      let onEntered = () => undefined as unknown
      const enter = () => {
        hasEntered = true
        onEntered()
      }
      turns.add(project, enter)
      if (hasEntered) return undefined
      return new Promise((resolve) => {
        const timer = setTimeout(() => {
          turns.remove(project, enter)
          resolve(false)
        }, withinMs)
        onEntered = () => {
          clearTimeout(timer)
          resolve(true)
        }
      })
    },
    leave: turns.end,
  }
}
