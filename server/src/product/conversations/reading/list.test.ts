import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Client, openWorkspace, type Workspace } from '../../../../test/harness.ts'
import { createAutomation, startRun } from '../../automations/automation.factory.ts'
import { conversationOf, said, used } from '../conversation.factory.ts'
import { recordWork, scheduleConversation } from '../turns/agent.ts'

let workspace: Workspace
beforeAll(async () => {
  workspace = await openWorkspace()
})
afterAll(() => workspace.close())

const list = (api: Client, query = '') => api.get(`/agent_conversations${query}`)
const idsOf = (answer: { body: { items: { id: string }[] } }) => answer.body.items.map((one) => one.id)

async function projectWith(titles: string[]) {
  const project = await workspace.project()
  const ids: string[] = []
  for (const title of titles)
    ids.push((await conversationOf(workspace, project, project.admin, { title })).conversationId)
  return { project, ids }
}

async function allPages(api: Client, query: string) {
  const pages: string[][] = []
  let cursor: string | null = null
  do {
    const answer = await list(api, `${query}${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`)
    expect(answer.status).toBe(200)
    pages.push(idsOf(answer))
    cursor = answer.body.next_cursor
  } while (cursor)
  return pages
}

describe('the list of conversations', () => {
  test('is empty when there are none', async () => {
    const { admin } = await workspace.project()
    expect((await list(admin.api)).body).toEqual({ items: [], next_cursor: null })
  })

  test('has exactly the fields of the specification, and null for no automation', async () => {
    const { project, ids } = await projectWith(['One'])
    const { body } = await list(project.admin.api)
    expect(body.items).toEqual([
      {
        object: 'agent_conversation',
        id: ids[0],
        origin: 'user',
        title: 'One',
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        updated_at: expect.any(String),
        automation: null,
      },
    ])
  })

  test('says which run of which automation a conversation belongs to, and how that run goes', async () => {
    const project = await workspace.project()
    const { id } = await createAutomation(project.admin.api, { name: 'Nightly' })
    const run = await startRun(project.admin.api, id)
    const automation = { id, name: 'Nightly', runId: run.id }
    const talk = {
      projectId: project.id,
      ownerId: project.admin.userId,
      automation,
      title: 'Nightly',
      prompt: 'Tidy up.',
    }
    const { conversationId } = await scheduleConversation(workspace.deps, talk)
    const shown = async () => (await list(project.admin.api)).body.items[0]
    expect(await shown()).toMatchObject({ id: conversationId, origin: 'automation' })
    expect((await shown()).automation).toEqual({
      object: 'agent_conversation_automation_run',
      automation_id: id,
      automation_name: 'Nightly',
      run_id: run.id,
      run_status: 'scheduled',
      run_started_at: null,
      run_completed_at: null,
    })
    await project.admin.api.post(`/automations/${id}/runs/${run.id}/cancel`)
    await recordWork(workspace.deps, { ...talk, conversationId, reply: 'It was cancelled.', status: 'cancelled' })
    expect((await shown()).automation).toMatchObject({ run_status: 'cancelled', run_completed_at: expect.any(String) })
    const { data } = (await project.admin.api.get(`/agent_conversations/${conversationId}`)).body
    expect(data.content.map((one: { text: string }) => one.text)).toEqual(['Tidy up.', 'It was cancelled.'])
  })

  test('has the last changed first', async () => {
    const { project, ids } = await projectWith(['One', 'Two', 'Three'])
    expect(idsOf(await list(project.admin.api))).toEqual([...ids].reverse())
    await workspace.sql`update conversations set updated_at = now() + interval '1 minute' where id = ${ids[0]!}`
    expect(idsOf(await list(project.admin.api))[0]).toBe(ids[0])
  })

  test('has only what belongs to the user whom the key acts for, even for an admin', async () => {
    const project = await workspace.project()
    const viewer = await project.join('viewer')
    const mine = await conversationOf(workspace, project, viewer)
    await conversationOf(workspace, project, project.admin)
    expect(idsOf(await list(viewer.api))).toEqual([mine.conversationId])
    expect(idsOf(await list(project.admin.api))).not.toContain(mine.conversationId)
  })

  test('leaves out subagents and other projects', async () => {
    const project = await workspace.project()
    const other = await workspace.project()
    await conversationOf(workspace, project, project.admin, { origin: 'subagent' })
    await conversationOf(workspace, other, project.admin)
    expect(idsOf(await list(project.admin.api))).toEqual([])
  })

  test.each(['0', '101', 'many', '-1', '1.5'])('refuses a page size of %s', async (size) => {
    const { admin } = await workspace.project()
    expect((await list(admin.api, `?page_size=${size}`)).status).toBe(422)
  })

  test('needs a key', async () => {
    expect((await list(workspace.client(undefined))).status).toBe(401)
  })
})

describe('paging', () => {
  test.each([1, 2, 3, 7, 8])('by %i gives each conversation once, in order', async (size) => {
    const { project, ids } = await projectWith(['a', 'b', 'c', 'd', 'e', 'f', 'g'])
    const pages = await allPages(project.admin.api, `?page_size=${size}`)
    expect(pages.flat()).toEqual([...ids].reverse())
    expect(pages.slice(0, -1).every((page) => page.length === size)).toBe(true)
    expect(pages.at(-1)!.length).toBeGreaterThan(0)
  })

  test('tells those of one millisecond apart', async () => {
    const { project, ids } = await projectWith(['a', 'b', 'c', 'd', 'e'])
    await workspace.sql`update conversations set updated_at = '2026-01-01' where project_id = ${project.id}`
    const pages = await allPages(project.admin.api, '?page_size=2')
    expect(pages.flat().sort()).toEqual([...ids].sort())
  })

  test('with a query finds the same as without pages', async () => {
    const { project } = await projectWith(
      Array.from({ length: 23 }, (_, at) => (at % 3 === 0 ? `fox ${at}` : `dog ${at}`)),
    )
    const whole = idsOf(await list(project.admin.api, '?query=FOX&page_size=100'))
    expect(whole).toHaveLength(8)
    expect((await allPages(project.admin.api, '?query=FOX&page_size=3')).flat()).toEqual(whole)
  })

  test('refuses a cursor of another query, page size, user or project, and one that was touched', async () => {
    const { project } = await projectWith(['a', 'b', 'c'])
    const { next_cursor: cursor } = (await list(project.admin.api, '?page_size=1&query=.')).body
    const sent = encodeURIComponent(cursor)
    const colleague = await project.join('editor')
    const elsewhere = await workspace.project()
    const answers = await Promise.all([
      list(project.admin.api, `?page_size=2&query=.&cursor=${sent}`),
      list(project.admin.api, `?page_size=1&query=..&cursor=${sent}`),
      list(project.admin.api, `?page_size=1&cursor=${sent}`),
      list(project.admin.api, `?query=.&cursor=${sent}`),
      list(colleague.api, `?page_size=1&query=.&cursor=${sent}`),
      list(elsewhere.admin.api, `?page_size=1&query=.&cursor=${sent}`),
      list(project.admin.api, `?page_size=1&query=.&cursor=${sent.slice(0, -2)}`),
      list(project.admin.api, `?page_size=1&query=.&cursor=x${sent}`),
      list(project.admin.api, '?page_size=1&query=.&cursor=nonsense'),
      list(project.admin.api, `?page_size=1&query=.&cursor=${'a.'.repeat(3_000)}`),
    ])
    expect(answers.map((one) => [one.status, one.body.code])).toEqual(answers.map(() => [400, 'invalid_cursor']))
    expect((await list(project.admin.api, `?page_size=1&query=.&cursor=${sent}`)).status).toBe(200)
    expect((await list(project.admin.api, '?page_size=1&query=.&cursor=')).status).toBe(200)
  })

  test('goes on at another node', async () => {
    const { project, ids } = await projectWith(['a', 'b'])
    const { next_cursor: cursor } = (await list(project.admin.api, '?page_size=1')).body
    const other = workspace.client(project.admin.key, await workspace.node())
    expect(idsOf(await list(other, `?page_size=1&cursor=${encodeURIComponent(cursor)}`))).toEqual([ids[0]])
  })
})

describe('a query', () => {
  let api: Client
  const made: Record<string, string> = {}
  beforeAll(async () => {
    const project = await workspace.project()
    api = project.admin.api
    const make = async (name: string, wanted: Parameters<typeof conversationOf>[3]) => {
      made[name] = (await conversationOf(workspace, project, project.admin, wanted)).conversationId
    }
    await make('title', { title: 'The Zebra crossing' })
    await make('user', { prompt: 'line one\nwhere is the giraffe?' })
    await make('assistant', { events: [said('assistant', 'An elephant stood here.')] })
    await make('null', { prompt: 'Why is it NULL?' })
    await make('tool', { events: used('feed_monkeys', '{"bananas": 12}', 'all peels', 'failed') })
  })
  const search = async (query: string) => {
    const answer = await list(api, `?query=${encodeURIComponent(query)}`)
    expect(answer.status).toBe(200)
    return idsOf(answer).map((id) => Object.entries(made).find(([, one]) => one === id)?.[0])
  }

  test.each([
    ['zebra', ['title']],
    ['GIRAFFE\\?$', ['user']],
    ['^where', ['user']],
    ['eleph(ant|ants) stood', ['assistant']],
    ['^feed_monkeys$', ['tool']],
    ['^failed$', ['tool']],
    ['zebra|monkeys', ['tool', 'title']],
    ['one.where', []],
    ['bananas', []],
    ['peels', []],
    ['unicorn', []],
    ['null', ['null']],
  ])('%s finds %j', async (query, found) => {
    expect(await search(query)).toEqual(found)
  })

  test.each([
    ['(', 'unclosed group'],
    ['(?=a)', 'look-around'],
    ['(a)\\1', 'backreferences'],
  ])('%s is no regular expression', async (query, reason) => {
    const answer = await list(api, `?query=${encodeURIComponent(query)}`)
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_regex' } })
    expect(answer.body.detail).toContain(reason)
    const { admin } = await workspace.project()
    expect((await list(admin.api, `?query=${encodeURIComponent(query)}`)).body, 'without conversations').toMatchObject({
      code: 'invalid_regex',
    })
  })

  test('may have 1,000 characters, not more', async () => {
    expect((await list(api, `?query=${'a'.repeat(1_000)}`)).status).toBe(200)
    expect((await list(api, `?query=${'a'.repeat(1_001)}`)).status).toBe(422)
  })

  test('that is empty finds everything', async () => {
    expect(idsOf(await list(api, '?query='))).toHaveLength(5)
  })

  test('never hangs on a pattern that others would hang on', async () => {
    const answer = await list(api, `?query=${encodeURIComponent('(a*)*(a*)*(a|a)*b{0,200}$')}`)
    expect([200, 503]).toContain(answer.status)
  })
})
