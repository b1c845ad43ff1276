import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { clientConfig, type Sql } from './pool.ts'

const RECONNECT_AFTER_MS = 200

interface Listener {
  heard: (message: string, channel: string) => void
  /** Called each time it starts to listen. After a broken connection, the notifications in between are lost. */
  ready: () => void
}

/** Receives notifications from channels on one connection of its own until it is stopped. */
export function listen(sql: Sql, channels: string | string[], { heard, ready }: Listener): { stop(): Promise<void> } {
  const stopping = new AbortController()
  let current: pg.Client | undefined

  async function hold(): Promise<void> {
    const client = new pg.Client(clientConfig(sql.where, 'slipway-listen'))
    current = client
    const ended = new Promise<void>((resolve) => client.once('end', resolve))
    client.on('error', () => undefined)
    client.on('notification', ({ payload, channel }) => heard(payload ?? '', channel))
    try {
      // A connection that is ended while it is made tells nobody who waits for it.
      await Promise.race([client.connect(), ended])
      for (const one of [channels].flat()) await client.query(`listen ${pg.escapeIdentifier(one)}`)
      ready()
      await ended
    } finally {
      await client.end().catch(() => undefined)
    }
  }

  async function keepListening(): Promise<void> {
    while (!stopping.signal.aborted) {
      await hold().catch(() => undefined)
      await delay(RECONNECT_AFTER_MS, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
  }

  const listening = keepListening()
  return {
    async stop() {
      stopping.abort()
      await current?.end().catch(() => undefined)
      await listening
    },
  }
}
