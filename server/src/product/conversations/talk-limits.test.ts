import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openWorkspace, type Workspace } from '../../../test/harness.ts'
import { conversationOf } from './conversation.factory.ts'
import { json, signedIn } from './person.factory.ts'
import { scriptedModel } from './scripted-model.factory.ts'

const LIMIT = 30
let workspace: Workspace
beforeAll(async () => {
  workspace = await openWorkspace({ rateLimitApp: LIMIT })
})
afterAll(() => workspace.close())

const start = { message: 'Hello' }

test('a viewer reads and follows, and may neither talk nor connect anything', async () => {
  const someone = await signedIn(workspace)
  const { conversationId } = await conversationOf(workspace, { id: someone.projectId }, someone)
  await workspace.sql`update project_members set role = 'viewer'
    where project_id = ${someone.projectId} and user_id = ${someone.userId}`
  const refused = [
    await json(someone.call('POST', '/agent_conversations', start)),
    await json(someone.call('POST', `/agent_conversations/${conversationId}/messages`, start)),
    await json(someone.call('POST', '/integrations', { display_name: 'A', url: 'https://a.example.org' })),
    await json(someone.call('DELETE', '/integrations/none')),
  ]
  for (const problem of refused) expect(problem).toMatchObject({ status: 403, code: 'viewer' })
  expect((await someone.call('GET', '/agent_conversations')).status).toBe(200)
  expect((await someone.call('GET', `/agent_conversations/${conversationId}/stream`)).status).toBe(200)
})

test('a person has so many requests a minute, whichever project they are for', async () => {
  const someone = await signedIn(workspace)
  const answers: Response[] = []
  for (let i = 0; i <= LIMIT; i++) answers.push(await someone.call('GET', '/agent_conversations'))
  expect(answers.map(({ status }) => status)).toEqual([...Array(LIMIT).fill(200), 429])
  const refused = answers.at(-1)!
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await refused.json()).toMatchObject({
    code: 'rate_limited',
    detail: expect.stringMatching(/^Rate limit reached: \d+ requests per minute for this account/),
  })
})

describe('talks that are under way', () => {
  const busy = async (projectId: string, userId: string, howMany: number) => {
    for (let i = 0; i < howMany; i++) await conversationOf(workspace, { id: projectId }, { userId }, { isActive: true })
  }

  test('are at most five of a person, also when they are begun at once', async () => {
    const model = await scriptedModel()
    model.script({ silent: true, after: 'I will now ' })
    const someone = await signedIn(workspace, model)
    const { conversationId } = await conversationOf(workspace, { id: someone.projectId }, someone)
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => someone.call('POST', '/agent_conversations', start)),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(5).fill(201), ...Array(3).fill(429)])
    const refused = answers.find(({ status }) => status === 429)!
    expect(refused.headers.get('retry-after')).toBe('10')
    expect(await refused.json()).toMatchObject({ code: 'too_many_talks' })
    const more = await someone.call('POST', `/agent_conversations/${conversationId}/messages`, start)
    expect(more.status).toBe(429)

    const { data } = await json(answers.find(({ status }) => status === 201)!)
    await someone.call('POST', `/agent_conversations/${data.id}/stop`)
    await (await someone.call('GET', `/agent_conversations/${data.id}/stream`)).text()
    expect((await someone.call('POST', '/agent_conversations', start)).status).toBe(201)
  })

  test('are at most twenty of a project', async () => {
    const someone = await signedIn(workspace)
    const others = await workspace.sql<{ id: string }[]>`select user_id as id from project_members
      where project_id = ${someone.projectId} and user_id <> ${someone.userId}`
    await busy(someone.projectId, others[0]!.id, 20)
    expect((await someone.call('POST', '/agent_conversations', start)).status).toBe(429)
  })

  test('do not count once their node is gone', async () => {
    const someone = await signedIn(workspace)
    await busy(someone.projectId, someone.userId, 5)
    await workspace.sql`update conversations set turn_seen_at = now() - interval '1 minute'
      where project_id = ${someone.projectId}`
    expect((await someone.call('POST', '/agent_conversations', start)).status).toBe(201)
  })
})
