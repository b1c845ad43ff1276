import { Type } from 'typebox'
import type { Db } from '../../../kernel/database/index.ts'
import { Nullable, Uuid } from '../../../kernel/http/schema.ts'
import { uuidv7 } from '../../../kernel/uuid.ts'
import { notifyAll } from './queries.ts'

export const PRESENCE_CHANNEL = 'presence'
const BEAT_MS = 20_000
const SILENT_MS = 70_000
/** A tab that is reloaded, or whose connection breaks, is back before this. */
const GONE_AFTER_MS = 6_000
const GATHER_MS = 200
const MAX_SHOWN = 20

export const PresentPeople = Type.Object({
  people: Type.Array(
    Type.Object({
      id: Uuid,
      name: Type.String({ examples: ['Grace Hopper'] }),
      page: Nullable(Type.String({ examples: ['work-orders/41'] })),
    }),
    { description: `Who has the project open, up to ${MAX_SHOWN}.` },
  ),
  total: Type.Integer({ examples: [2] }),
})

/** A tab that has a project open. */
export interface Tab {
  projectId: string
  userId: string
  id: string
}

interface Here {
  node: string
  name: string
  page: string | null
}

/** What nodes tell each other. Without `node`, a tab has only moved, and the nodes that know it note its new page. */
interface Message extends Partial<Here> {
  tab?: Tab
  isGone?: true
  /** Asks the others to tell what they know. */
  isNew?: true
}

export interface Presence {
  join(tab: Tab, name: string, page: string | null): { leave(): void }
  move(tab: Tab, page: string): void
  /** What everybody in a project is shown. Undefined as long as one person is alone. */
  frameOf(projectId: string): { people: { id: string; name: string; page: string | null }[]; total: number }
  heard(message: string): void
  /** Call it whenever the connection to the other nodes has been made. */
  ready(): void
  stop(): void
}

/**
 * Who is here. Every node tells all nodes, through PostgreSQL, which tabs have opened, moved and closed, and stores
 * nothing; the tabs of a node that has been silent for a minute are forgotten.
 */
export function createPresence(db: Db, changed: (projectId: string) => void): Presence {
  const node = uuidv7()
  const tabs = new Map<string, Here & { tab: Tab }>()
  const own = new Map<string, { tab: Tab; streams: number; leaving?: NodeJS.Timeout | undefined }>()
  const heardAt = new Map<string, number>()
  const outgoing: Message[] = []
  let sending: NodeJS.Timeout | undefined
  const beating = setInterval(beat, BEAT_MS).unref()

  function tell(message: Message): void {
    outgoing.push(message)
    sending ??= setTimeout(send, GATHER_MS).unref()
  }

  /** A message that is lost is made good by the next one about the same tab, or by the silence of the node. */
  async function send(): Promise<void> {
    sending = undefined
    const messages = outgoing.splice(0).map((one) => JSON.stringify(one))
    await notifyAll(db, PRESENCE_CHANNEL, messages).catch(() => undefined)
  }

  function beat(): void {
    if (own.size > 0) tell({ node })
    const since = Date.now() - SILENT_MS
    for (const [key, { node: other, tab }] of tabs)
      if (other !== node && (heardAt.get(other) ?? 0) < since) {
        tabs.delete(key)
        changed(tab.projectId)
      }
  }

  function tellOwn(): void {
    for (const key of own.keys()) {
      const { tab, name, page } = tabs.get(key) ?? {}
      if (tab) tell({ node, tab, name: name!, page: page! })
    }
  }

  function note({ tab, node: from, name, page, isGone }: Message): void {
    const key = keyOf(tab!)
    const known = tabs.get(key)
    if (isGone) {
      if (known?.node === from) tabs.delete(key)
    } else if (from !== undefined) tabs.set(key, { tab: tab!, node: from, name: name!, page: page ?? null })
    else if (known) tabs.set(key, { ...known, page: page ?? null })
    changed(tab!.projectId)
  }

  return {
    join(tab, name, page) {
      const key = keyOf(tab)
      const entry = own.get(key) ?? { tab, streams: 0 }
      clearTimeout(entry.leaving)
      entry.streams++
      own.set(key, entry)
      const here: Message = { node, tab, name, page }
      note(here)
      tell(here)
      return {
        leave() {
          if (--entry.streams > 0) return
          entry.leaving = setTimeout(() => {
            own.delete(key)
            const gone: Message = { node, tab, isGone: true }
            note(gone)
            tell(gone)
          }, GONE_AFTER_MS).unref()
        },
      }
    },
    move: (tab, page) => tell({ tab, page }),
    frameOf(projectId) {
      const people = new Map<string, { id: string; name: string; page: string | null }>()
      for (const { tab, name, page } of tabs.values())
        if (tab.projectId === projectId) people.set(tab.userId, { id: tab.userId, name, page })
      return { people: [...people.values()].slice(0, MAX_SHOWN), total: people.size }
    },
    heard(text) {
      const message = JSON.parse(text) as Message
      if (message.node !== undefined) heardAt.set(message.node, Date.now())
      if (message.isNew && message.node !== node) tellOwn()
      if (message.tab && message.node !== node) note(message)
    },
    ready() {
      tell({ node, isNew: true })
      tellOwn()
    },
    stop() {
      clearInterval(beating)
      clearTimeout(sending)
      for (const { leaving } of own.values()) clearTimeout(leaving)
    },
  }
}

const keyOf = ({ projectId, userId, id }: Tab) => `${projectId} ${userId} ${id}`
