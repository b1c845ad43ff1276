import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, openWorkspace, type Workspace } from '../../test/harness.ts'
import { checkMarkdown } from '../product/documents/index.ts'
import { entriesOf } from './content.ts'
import { type FilledDemo, fillDemo } from './index.ts'

let ws: Workspace
let demo: FilledDemo
let api: Client

// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
type Shown = Record<string, any>

beforeAll(async () => {
  ws = await openWorkspace()
  demo = await fillDemo({ ...ws.deps, db: ws.sql })
  api = ws.client(demo.externalKey)
})
afterAll(() => ws.close())

const all = async (path: string): Promise<Shown[]> => {
  const items: Shown[] = []
  for (let page = 1; ; page++) {
    const { status, body } = await api.get(`${path}${path.includes('?') ? '&' : '?'}page=${page}&page_size=100`)
    expect(status).toBe(200)
    items.push(...body.items)
    if (items.length >= body.total) return items
  }
}
const counted = <T extends string>(values: T[]) =>
  Object.fromEntries([...new Set(values)].sort().map((one) => [one, values.filter((other) => other === one).length]))

describe('the demo', () => {
  it('has as much of everything as the pictures show', async () => {
    const artifacts = await all('/artifacts')
    const conversations = await ws.sql`select 1 from conversations where project_id = ${demo.projectId}`
    expect({
      requirements: (await all('/requirements')).length,
      blueprints: (await all('/blueprints')).length,
      workOrders: (await all('/work_orders')).length,
      feedback: (await all('/feedback/items')).length,
      toProcess: (await all('/feedback/items?status=to_process')).length,
      artifacts: artifacts.filter((one) => one.type !== 'folder').length,
      folders: artifacts.filter((one) => one.type === 'folder').length,
      automations: (await api.get('/automations')).body.items.length,
      conversations: conversations.length,
      people: demo.people.length,
    }).toEqual({
      requirements: 24,
      blueprints: 31,
      workOrders: 58,
      feedback: 214,
      toProcess: 12,
      artifacts: 68,
      folders: 8,
      automations: 5,
      conversations: 40,
      people: 5,
    })
  })

  it('has work orders with the numbers, titles, statuses and phases of the board', async () => {
    const workOrders = await all('/work_orders')
    expect(counted(workOrders.map((one) => one.status))).toEqual({
      backlog: 14,
      blocked: 2,
      completed: 22,
      in_progress: 6,
      in_review: 5,
      ready: 9,
    })
    expect(counted(workOrders.map((one) => one.phase?.title ?? 'none'))).toEqual({
      Checkout: 23,
      Foundation: 18,
      Hardening: 10,
      none: 7,
    })
    expect(counted(workOrders.flatMap((one) => one.labels.map((label: Shown) => label.title)))).toMatchObject({
      checkout: 17,
      chargebacks: 4,
      launch: 2,
    })
    const { data } = (await api.get('/work_orders/by_number/38')).body
    expect(data).toMatchObject({
      title: 'Refund fails when the card was replaced',
      status: 'in_progress',
      priority: 'urgent',
      type: 'fix',
      assignee: { name: 'Build agent' },
    })
    expect(data.implementation_plan.files).toHaveLength(4)
    expect(data.connectedContext.map((one: Shown) => one.resourceType).sort()).toEqual([
      'blueprint',
      'requirements_document',
      'theme',
    ])
    const comments = (await api.get(`/work_orders/${data.id}/comments`)).body.items
    expect(comments).toHaveLength(5)
    expect(comments[2].artifact_ids).toHaveLength(1)
  })

  it('has themes with as many quotes and people as the ranking shows', async () => {
    const rows = await ws.sql<{ number: number; quotes: number; people: number }[]>`
      select t.theme_number as number, count(*)::int as quotes, count(distinct i.end_user_email)::int as people
      from themes t join quotes q on q.project_id = t.project_id and q.theme_id = t.id
      join feedback_items i on i.project_id = q.project_id and i.id = q.feedback_item_id
      where t.project_id = ${demo.projectId} and t.status in ('unresolved', 'in_progress')
      group by 1 order by people desc, quotes desc`
    expect(rows.map((one) => [one.number, one.people, one.quotes])).toEqual([
      [12, 31, 38],
      [7, 26, 29],
      [9, 19, 24],
      [4, 17, 18],
      [18, 14, 15],
      [20, 11, 12],
      [15, 9, 11],
      [11, 8, 8],
      [14, 7, 7],
      [16, 6, 6],
      [3, 5, 6],
      [21, 2, 2],
    ])
    const themes: Shown[] = (await api.get('/feedback/themes')).body.items
    expect(counted(themes.map((one) => one.status))).toMatchObject({
      dismissed: 4,
      resolved: 9,
    })
  })

  it('has a requirement with fourteen versions, pending changes and open comments', async () => {
    const refunds = (await all('/requirements?title=Refunds')).find((one) => one.title === 'Refunds')!
    const path = `/requirements/${refunds.id}`
    const versions = (await api.get(`${path}/versions`)).body.items
    expect(versions[0].version_number).toBe(14)
    expect(new Set(versions.map((one: Shown) => one.attribution.origin_type))).toEqual(
      new Set(['user', 'agent', 'external_api', 'automation', 'mcp']),
    )
    const changes = (await api.get(`${path}/suggestions`)).body.items
    expect(new Set(changes.map((one: Shown) => one.created_by_name))).toEqual(
      new Set(['Katherine Johnson', 'Build agent']),
    )
    const threads = (await api.get(`${path}/comments`)).body.items
    expect(threads.map((one: Shown) => one.messages[0].created_via?.automation_name)).toEqual([
      'Feedback triage',
      undefined,
    ])
  })

  it('finds in the blueprints what the search picture shows, on the same lines', async () => {
    const { body } = await api.post('/blueprints/search', { query: 'idempoten(t|cy)' })
    const lines = body.items.map((one: Shown) => [
      one.title,
      one.matches.flatMap((match: Shown) => match.line_number ?? []),
    ])
    expect(Object.fromEntries(lines)).toMatchObject({
      'Idempotency keys': [4, 18, 31],
      'Payment service': [22, 40],
      Refunds: [12],
      'Order service': [58],
    })
  })

  it('has runs of every outcome, and nothing that still runs', async () => {
    const rows = await ws.sql<{ status: string; runs: number }[]>`
      select status, count(*)::int as runs from automation_runs where project_id = ${demo.projectId}
        and completed_at > now() - interval '30 days' group by 1`
    expect(Object.fromEntries(rows.map((one) => [one.status, one.runs]))).toEqual({
      succeeded: 206,
      failed: 6,
      cancelled: 1,
    })
    const { items } = (await api.get('/automations')).body
    expect(items.map((one: Shown) => [one.name, one.enabled])).toEqual([
      ['Feedback triage', true],
      ['Blueprint drift watch', true],
      ['Weekly theme digest', true],
      ['Release notes', true],
      ['Nudge stale work orders', false],
    ])
    const [failed] = await ws.sql`select changes from automation_runs
      where project_id = ${demo.projectId} and status = 'failed' and jsonb_array_length(changes) > 0`
    expect(failed!.changes).toMatchObject([
      { action: 'updated', title: 'Totals engine' },
      { action: 'updated', title: 'Card form' },
      { action: 'updated', title: 'Idempotent payment intents' },
    ])
  })

  it('happened over the past weeks, in one order in the log and in time', async () => {
    const events = await ws.sql<{ created_at: string }[]>`
      select created_at from events where project_id = ${demo.projectId} order by id`
    const times = events.map((one) => Date.parse(one.created_at))
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    expect(times.at(-1)!).toBeLessThanOrEqual(Date.now())
    expect(Date.now() - times[0]!).toBeGreaterThan(80 * 86_400_000)
    const late = await ws.sql`
      select v.document_id from document_versions v
      join documents d on d.project_id = v.project_id and d.id = v.document_id
      where v.project_id = ${demo.projectId} and (v.created_at > d.updated_at or v.created_at > now())`
    expect(late).toEqual([])
    const swapped = await ws.sql`
      select 1 from feedback_items a join feedback_items b
        on b.project_id = a.project_id and b.feedback_number = a.feedback_number + 1 and b.created_at < a.created_at
      where a.project_id = ${demo.projectId}`
    expect(swapped).toEqual([])
  })

  it('has no text that is not valid markdown, and no feedback twice', async () => {
    for (const file of ['knowledge.md', 'interviews.md', 'work-orders-1.md', 'work-orders-2.md', 'work-orders-3.md'])
      for (const { text, notes } of entriesOf(file))
        for (const source of [text, ...notes.map((note) => note.text)]) await checkMarkdown({ actor: demo }, source)
    const contents = (await ws.sql`select markdown_content from feedback_items`).map((row) => row.markdown_content)
    expect(new Set(contents).size).toBe(214)
  })

  it('is filled only once', async () => {
    await expect(fillDemo({ ...ws.deps, db: ws.sql })).rejects.toThrow('There is a project "Harbor Checkout" already')
  })
})
