import type { Actor, Log } from '../../../kernel/context.ts'
import type { Sql } from '../../../kernel/database/index.ts'
import { addCalls, type Calls } from './call-queries.ts'

export interface CallCounter {
  /** Counts a call of a key or a connected app. `name` is the tool or the operation. */
  count(actor: Actor, name: string): void
  /** Writes what was counted since. */
  close(): Promise<void>
}

const WRITE_EVERY_MS = 1_000

/**
 * Counts calls in memory and writes them once a second, in one statement for all keys. What a killed process has counted
 * since is lost.
 */
export function createCallCounter(sql: Sql, log: Log): CallCounter {
  let counted = new Map<string, Calls>()
  let timer: NodeJS.Timeout | undefined

  function add({ keyId, projectId, calls, lastCall }: Calls) {
    const known = counted.get(keyId)
    if (!known) counted.set(keyId, { projectId, keyId, calls, lastCall })
    else {
      known.calls += calls
      known.lastCall = lastCall
    }
    timer ??= setTimeout(() => void write(), WRITE_EVERY_MS).unref()
  }

  async function write() {
    clearTimeout(timer)
    timer = undefined
    if (counted.size === 0) return
    const taken = counted
    counted = new Map()
    await addCalls(sql, [...taken.values()]).catch((err: unknown) => {
      log.warn({ err }, 'Calls could not be counted. They are added with the next ones.')
      const since = counted
      counted = taken
      for (const one of since.values()) add(one)
    })
  }

  return {
    count({ keyId, projectId }, name) {
      if (keyId !== null) add({ keyId, projectId, calls: 1, lastCall: name })
    },
    close: write,
  }
}
