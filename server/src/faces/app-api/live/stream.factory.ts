import type { AddressInfo } from 'node:net'
import { eventually, onTestFinished, type Workspace } from '../../../../test/harness.ts'
import type { App } from '../../../app.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { type Db, inTransaction } from '../../../kernel/database/index.ts'
import { type NewEvent, recordEvent } from '../../../kernel/events.ts'
import { uuidv7 } from '../../../kernel/uuid.ts'
import type { Person } from '../../../product/conversations/person.factory.ts'
import { workOrderEvents } from '../../../product/work-orders/index.ts'

export interface Received {
  id: string | undefined
  event: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into events of every shape
  data: any
}

export interface Tab {
  status: number
  events: Received[]
  /** Where to resume. */
  lastId: string
  isOver: boolean
  close(): void
  /** Waits for a change with this subject. */
  change(subjectId: string): Promise<Received>
}

const urlOf = (node: App) => `http://127.0.0.1:${(node.server.address() as AddressInfo).port}/v2/app-api`

/** Starts another node with a port of its own. */
export async function startNode(workspace: Workspace): Promise<App> {
  const node = await workspace.node()
  await node.listen({ port: 0, host: '127.0.0.1' })
  return node
}

/** Opens a stream as `EventSource` would, and waits until it is connected. */
export async function openTab(
  person: Pick<Person, 'cookie' | 'projectId'>,
  node: App,
  query: { last_event_id?: string; tab?: string; page?: string } = {},
): Promise<Tab> {
  const gone = new AbortController()
  const asked = new URLSearchParams({ project_id: person.projectId, ...query })
  const answer = await fetch(`${urlOf(node)}/stream?${asked}`, {
    headers: { cookie: person.cookie },
    signal: gone.signal,
  })
  const events: Received[] = []
  const tab: Tab = {
    status: answer.status,
    events,
    lastId: '',
    isOver: false,
    close: () => gone.abort(),
    change: (subjectId) => eventually(() => events.find(({ data }) => data.subject_id === subjectId)),
  }
  onTestFinished(() => tab.close())
  if (answer.status !== 200) {
    await answer.body?.cancel()
    return tab
  }
  read(answer, tab).catch(() => {
    tab.isOver = true
  })
  await eventually(() => tab.lastId !== '' || tab.isOver)
  return tab
}

async function read(answer: Response, tab: Tab): Promise<void> {
  let text = ''
  for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk
    const blocks = text.split('\n\n')
    text = blocks.pop()!
    for (const block of blocks) {
      const id = /^id: (.*)$/m.exec(block)?.[1]
      tab.lastId = id ?? tab.lastId
      const [, event] = /^event: (.*)$/m.exec(block) ?? []
      if (event && event !== 'position')
        tab.events.push({ id, event, data: JSON.parse(/^data: (.*)$/m.exec(block)![1]!) })
    }
  }
  tab.isOver = true
}

/** Records an event and returns the id of its subject. */
export async function happen(ctx: Ctx, make: (id: string) => NewEvent = edited): Promise<string> {
  const subjectId = uuidv7()
  await inTransaction(ctx, (ctx) => recordEvent(ctx, make(subjectId)))
  return subjectId
}

const edited = (id: string) => workOrderEvents.updated(id, { fields: ['title'] })

/** Records an event in a transaction that stays open until it is told to commit. */
export async function happenLater(ctx: Ctx & { db: Db }): Promise<{ subjectId: string; commit(): Promise<void> }> {
  const subjectId = uuidv7()
  let commit: () => void = () => undefined
  const told = new Promise<void>((resolve) => {
    commit = resolve
  })
  let done: Promise<void> = Promise.resolve()
  await new Promise<void>((begun, failed) => {
    done = inTransaction(ctx, async (ctx) => {
      await recordEvent(ctx, edited(subjectId))
      // Sends what the transaction still holds back.
      await ctx.db`select 1`
      begun()
      await told
    })
    done.catch(failed)
  })
  return {
    subjectId,
    commit() {
      commit()
      return done
    },
  }
}
