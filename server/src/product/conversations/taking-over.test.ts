import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { eventually, openWorkspace, type Workspace } from '../../../test/harness.ts'
import { slices } from '../../app.ts'
import { wire } from '../../kernel/slice.ts'
import { conversationOf, said, used } from './conversation.factory.ts'
import { eventsOf, json, type Person, signedIn } from './person.factory.ts'
import { type ScriptedModel, scriptedModel } from './scripted-model.factory.ts'
import { startTakingOver } from './taking-over.ts'
import { settingsWith } from './turns/agent.factory.ts'

let workspace: Workspace
beforeAll(async () => {
  workspace = await openWorkspace()
})
afterAll(() => workspace.close())

/** The background work of a server that has just started. */
function startServer(model: ScriptedModel) {
  const server = startTakingOver({
    ...workspace.deps,
    db: workspace.sql,
    wiring: wire(slices, settingsWith({ model: model.settings() })),
  })
  onTestFinished(() => server.stop(0))
  return server
}

const endLease = (id: string) =>
  workspace.sql`update conversations set turn_seen_at = now() - interval '1 minute' where id = ${id}`

const textsOf = async (id: string) =>
  (
    await workspace.sql<{ text: string }[]>`select text from conversation_events where conversation_id = ${id}
      order by number`
  ).map(({ text }) => text)

const hasEnded = (id: string) => async () => {
  const [row] = await workspace.sql`select turn_id from conversations where id = ${id}`
  return row!.turn_id === null
}

const callOnly = (name: string, input: object) => used(name, JSON.stringify(input), '').slice(0, 1)

async function abandoned(events: ReturnType<typeof said>[], more: { origin?: 'automation' } = {}) {
  const project = await workspace.project()
  const { conversationId: id } = await conversationOf(workspace, project, project.admin, {
    isActive: true,
    events,
    ...more,
  })
  await endLease(id)
  return { project, id }
}

const titlesIn = async (person: { projectId: string }) =>
  (await workspace.sql<{ title: string }[]>`select title from work_orders where project_id = ${person.projectId}`).map(
    ({ title }) => title,
  )

describe('a turn whose server has stopped', () => {
  test('goes on from the last result, and keeps what was said', async () => {
    const model = await scriptedModel()
    model.script({ text: 'There are none.' })
    const { id } = await abandoned([
      { ...said('assistant', 'I look.'), isFinal: false },
      ...used('list_work_orders', '{}', '{"items":[]}'),
    ])
    startServer(model)
    await eventually(hasEnded(id))
    expect(await textsOf(id)).toEqual(['A question', 'I look.', '{}', '{"items":[]}', 'There are none.'])
    expect(model.asked).toHaveLength(1)
    expect(model.asked[0]!.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool'])
  })

  test('makes a call that has left no trace', async () => {
    const model = await scriptedModel()
    model.script({ text: 'Made.' })
    const { id, project } = await abandoned(callOnly('create_work_order', { title: 'Paint the hull' }))
    startServer(model)
    await eventually(hasEnded(id))
    expect(await titlesIn({ projectId: project.id })).toEqual(['Paint the hull'])
    expect((await textsOf(id)).at(-1)).toBe('Made.')
  })

  test.each([
    { asks: false, trace: 'work_order.created' },
    { asks: true, trace: 'proposed create_work_order' },
  ])('makes no call again that wrote something (asks first: $asks)', async ({ asks, trace }) => {
    const model = await scriptedModel()
    const someone = await signedIn(workspace, model)
    let next: (asked: { messages: { role: string; content: unknown }[] }) => void = () => undefined
    const told = new Promise<{ messages: { role: string; content: unknown }[] }>((resolve) => {
      next = resolve
    })
    model.script(
      { calls: [{ name: 'create_work_order', input: { title: 'Paint the hull' } }] },
      // The server stops after the write and before its result is stored.
      async () => {
        await workspace.sql`delete from conversation_events where kind = 'tool_result' and project_id = ${someone.projectId}`
        await workspace.sql`update conversations set last_event_number = last_event_number - 1,
          turn_seen_at = now() - interval '1 minute' where project_id = ${someone.projectId}`
        startServer(model)
        return { silent: true }
      },
      (asked) => {
        next(asked)
        return { text: 'It is there.' }
      },
    )
    const { data } = await json(
      someone.call('POST', '/agent_conversations', { message: 'Make one.', asks_first: asks }),
    )
    const { messages } = await told
    expect(JSON.stringify(messages.at(-1))).toContain(`It did this: ${trace}`)
    await eventually(hasEnded(data.id))
    expect((await textsOf(data.id)).at(-1)).toBe('It is there.')
    const proposals = await workspace.sql`select 1 from agent_deeds where run_id = ${data.id}`
    expect([await titlesIn(someone), proposals.length]).toEqual(asks ? [[], 1] : [['Paint the hull'], 0])
  })

  test('is not asked again if the answer was stored', async () => {
    const model = await scriptedModel()
    const { id } = await abandoned([said('assistant', 'All of it.')])
    startServer(model)
    await eventually(hasEnded(id))
    expect(await textsOf(id)).toEqual(['A question', 'All of it.'])
    expect(model.asked).toEqual([])
  })

  test('ends when somebody has stopped it, when it has stopped servers three times, and when it is of a run', async () => {
    const model = await scriptedModel()
    const stopped = await abandoned([])
    await workspace.sql`update conversations set turn_stop = true where id = ${stopped.id}`
    const poisoned = await abandoned([])
    await workspace.sql`update conversations set turn_taken_up = 3 where id = ${poisoned.id}`
    const ofRun = await abandoned([], { origin: 'automation' })
    startServer(model)
    for (const { id } of [stopped, poisoned, ofRun]) await eventually(hasEnded(id))
    const reason = 'I could not finish. The server that I ran on stopped in the middle.'
    expect(await textsOf(stopped.id)).toEqual(['A question', 'It was stopped.'])
    expect(await textsOf(poisoned.id)).toEqual(['A question', reason])
    expect(await textsOf(ofRun.id)).toEqual(['A question', reason])
    expect(model.asked).toEqual([])
  })

  test('is taken up once, however many servers look', async () => {
    const model = await scriptedModel()
    model.script({ text: 'Once.' })
    const { id } = await abandoned([])
    for (let count = 0; count < 4; count++) startServer(model)
    await eventually(hasEnded(id))
    expect(await textsOf(id)).toEqual(['A question', 'Once.'])
    expect(model.asked).toHaveLength(1)
  })

  test('that is alive is left alone', async () => {
    const model = await scriptedModel()
    const project = await workspace.project()
    const { conversationId, turnId } = await conversationOf(workspace, project, project.admin, { isActive: true })
    const { id } = await abandoned([said('assistant', 'Seen.')])
    startServer(model)
    await eventually(hasEnded(id))
    const [row] = await workspace.sql`select turn_id from conversations where id = ${conversationId}`
    expect(row!.turn_id).toBe(turnId)
  })
})

describe('a server that is stopped in the middle of an answer', () => {
  const begin = async (): Promise<{ someone: Person; model: ScriptedModel; id: string }> => {
    const model = await scriptedModel()
    model.script({ silent: true, after: 'Half of ' }, { text: 'All of it.' })
    const someone = await signedIn(workspace, model)
    const { data } = await json(someone.call('POST', '/agent_conversations', { message: 'Tell me.' }))
    await eventually(() => model.asked.length > 0)
    return { someone, model, id: data.id }
  }

  test('leaves it to the next one, which need not wait for the lease', async () => {
    const { someone, model, id } = await begin()
    await someone.node.close()
    expect(await textsOf(id)).toEqual(['Tell me.'])
    startServer(model)
    await eventually(hasEnded(id))
    expect(await textsOf(id)).toEqual(['Tell me.', 'All of it.'])
  })

  test('ends no stream of another server before the answer has ended', async () => {
    const { someone, model, id } = await begin()
    await someone.node.close()
    const other = await workspace.node()
    const address = await other.listen({ port: 0, host: '127.0.0.1' })
    const following = eventsOf(
      fetch(`${address}/v2/app-api/agent_conversations/${id}/stream`, {
        headers: { cookie: someone.cookie, 'x-project-id': someone.projectId },
      }),
    )
    startServer(model)
    const events = await following
    expect(events.filter(({ event }) => event === 'message').map(({ data }) => data.text)).toEqual([
      'Tell me.',
      'All of it.',
    ])
  })
})
