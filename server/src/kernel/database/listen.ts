import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { clientConfig, type Sql } from './pool.ts'

const RECONNECT_AFTER_MS = 200

interface Listener {
  heard: (message: string, channel: string) => void
  /** Called each time it starts to listen. After a broken connection, the notifications in between are lost. */
  ready: () => void
}

interface Member extends Listener {
  channels: string[]
}

/** One connection that listens for everybody who uses the same pool: for the whole node. */
interface Line {
  add(member: Member): void
  /** Closes the connection after the last one. */
  remove(member: Member): Promise<void>
}

const lines = new WeakMap<Sql, Line>()

/** Receives notifications from channels until it is stopped. All who listen share one connection. */
export function listen(sql: Sql, channels: string | string[], listener: Listener): { stop(): Promise<void> } {
  const member = { ...listener, channels: [channels].flat() }
  const line = lines.get(sql) ?? openLine(sql)
  lines.set(sql, line)
  line.add(member)
  return { stop: () => line.remove(member) }
}

function openLine(sql: Sql): Line {
  const members = new Set<Member>()
  const stopping = new AbortController()
  let current: pg.Client | undefined
  let connected: pg.Client | undefined

  async function begin(client: pg.Client, { channels, ready }: Member): Promise<void> {
    for (const one of channels) await client.query(`listen ${pg.escapeIdentifier(one)}`)
    ready()
  }

  async function hold(): Promise<void> {
    const client = new pg.Client(clientConfig(sql.where, 'slipway-listen'))
    current = client
    const ended = new Promise<void>((resolve) => client.once('end', resolve))
    client.on('error', () => undefined)
    client.on('notification', ({ payload, channel }) => {
      for (const { channels, heard } of members) if (channels.includes(channel)) heard(payload ?? '', channel)
    })
    try {
      // A connection that is ended while it is made tells nobody who waits for it.
      await Promise.race([client.connect(), ended])
      connected = client
      await Promise.all([...members].map((one) => begin(client, one)))
      await ended
    } finally {
      connected = undefined
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
    add(member) {
      members.add(member)
      // If this fails, the connection is broken, and the next one begins with all members.
      if (connected) begin(connected, member).catch(() => undefined)
    },
    async remove(member) {
      if (!members.delete(member) || members.size > 0) return
      lines.delete(sql)
      stopping.abort()
      await current?.end().catch(() => undefined)
      await listening
    },
  }
}
