import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, eventually, type Member, openWorkspace, type Workspace } from '../../../test/harness.ts'
import { startWorker } from '../../kernel/jobs/jobs.ts'
import { feedbackProject, makeTheme, report } from '../feedback/feedback.factory.ts'
import { builtInOf, runsOf, type Shown, startNode } from './automation.factory.ts'
import type { Dispatcher } from './dispatcher/dispatch.ts'
import { executeRun } from './dispatcher/execute.ts'

/** Two nodes that take runs and one worker, as they are in operation; no model is configured. */
let ws: Workspace
let nodes: Dispatcher[]
let stop: () => Promise<void>
beforeAll(async () => {
  ws = await openWorkspace()
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
  const worker = startWorker({ sql: ws.sql, store: ws.store, wiring: ws.deps.wiring, log })
  nodes = [1, 2].map(() => startNode(ws, { execute: (deps, claimed, signal) => executeRun(deps, claimed, signal) }))
  stop = async () => {
    await Promise.all(nodes.map((node) => node.stop(5_000)))
    await worker.stop(5_000)
  }
})
afterAll(async () => {
  await stop()
  await ws.close()
})

const WITHIN_MS = 25_000
const CARD = [
  'My card has not arrived yet',
  'When will my new card be delivered?',
  'I am still waiting for the card you posted',
  'Where is the card that I ordered?',
  'The card did not come in the mail',
]
const EXPORT = [
  'The export to Excel is empty',
  'How do I export my data as CSV?',
  'The exported CSV file has no rows',
  'Export to Excel fails with an error',
  'The Excel export leaves out columns',
]

async function setUp() {
  const { project, api, reporter } = await feedbackProject(ws)
  const { id } = await builtInOf(api)
  await api.patch(`/automations/${id}`, { enabled: true })
  return { project, api, reporter, automationId: id }
}

/** Hands texts in one after the other and waits until each is in a theme. */
async function submit(api: Client, reporter: Member, texts: string[]): Promise<Shown[]> {
  const numbers: string[] = []
  for (const text of texts) numbers.push(`FB-${(await report(reporter, text)).body.feedback_number}`)
  const items = await eventually(async () => {
    const all = (await api.get('/feedback/items?page_size=100')).body.items as Shown[]
    const mine = numbers.map((number) => all.find((one) => one.display_id === number)!)
    return mine.every((one) => one.status === 'processed') && mine
  }, WITHIN_MS)
  return Promise.all(items.map(async ({ id }) => (await api.get(`/feedback/items/${id}`)).body.data))
}

const themeIdsOf = (item: Shown): string[] =>
  item.connectedContext
    .filter((one: { resourceType: string }) => one.resourceType === 'theme')
    .map((one: { resourceId: string }) => one.resourceId)
const themesOf = async (api: Client): Promise<Shown[]> => (await api.get('/feedback/themes')).body.items
const whereIs = async (api: Client, id: string) => themeIdsOf((await api.get(`/feedback/items/${id}`)).body.data)[0]!

/** Until nothing is left to look over. */
const settled = () =>
  eventually(async () => {
    const [jobs] = await ws.sql`select count(*)::int as left from graphile_worker._private_jobs j
      join graphile_worker._private_tasks t on t.id = j.task_id where t.identifier = 'regroup_feedback'`
    return jobs!.left === 0
  }, WITHIN_MS)

describe('without a model, feedback triage', () => {
  it('does nothing in a run that should only propose, and says so', async () => {
    const { api, reporter } = await feedbackProject(ws)
    await report(reporter, CARD[0]!)
    const [item] = (await api.get('/feedback/items')).body.items
    const { id } = await builtInOf(api)
    await api.patch(`/automations/${id}`, { enabled: true })
    const subject = { resourceType: 'feedback_item', resourceId: item.id }
    await api.post(`/automations/${id}/runs`, { subject, dry_run: true })
    const run = await eventually(async () => {
      const [one] = await runsOf(api, id)
      return one?.completed_at && one
    })
    expect(run).toMatchObject({ status: 'failed', error: expect.stringContaining('Nothing was changed'), changes: [] })
    expect((await api.get(`/feedback/items/${item.id}`)).body.data.status).toBe('to_process')
    expect(await themesOf(api)).toEqual([])
  })

  it('puts every item into one theme, and the run says why', async () => {
    const { api, reporter, automationId } = await setUp()
    const items = await submit(api, reporter, CARD.slice(0, 2))
    for (const item of items) expect(themeIdsOf(item)).toHaveLength(1)
    const runs = await eventually(async () => {
      const all = await runsOf(api, automationId)
      return all.length > 0 && all.every((one) => one.status === 'succeeded') && all
    })
    // Two items that arrive together are sorted at the same time: either may be the one that opens the theme.
    const opening = runs.find((one) => one.changes[0]?.action === 'created')!
    expect(opening).toMatchObject({ model: null, error: null, trigger_type: 'feedback_submitted' })
    expect(opening.changes.slice(0, 2).map((one: Shown) => one.action)).toEqual(['created', 'feedback_linked'])
    const { data } = (await api.get(`/agent_conversations/${opening.conversation_id}`)).body
    expect(JSON.stringify(data)).toMatch(/FB-[12] opens TH-1 .*Nothing like it was reported before\./)
  })

  it('opens a theme with a title, a type, a priority and the sentence that matters', async () => {
    const { api, reporter } = await setUp()
    const text = 'Hello, I hope you are well.\n\nThe app crashes whenever I open the settings, please help!'
    const [item] = await submit(api, reporter, [text])
    const { data } = (await api.get(`/feedback/themes/${themeIdsOf(item!)[0]}`)).body
    expect(data).toMatchObject({
      title: 'The app crashes whenever I open the settings',
      type: 'bug',
      priority: 'high',
      status: 'unresolved',
      quote_count: 1,
    })
    const [quote] = await ws.sql`select text_excerpt, origin, pinned_at from quotes where theme_id = ${data.id}`
    const excerpt = 'The app crashes whenever I open the settings, please help!'
    expect(quote).toEqual({ text_excerpt: excerpt, origin: 'automation', pinned_at: null })
  })

  it('sorts a burst on two nodes into few themes, and leaves nothing behind', async () => {
    const { api, reporter, automationId } = await setUp()
    const texts = CARD.flatMap((text, index) => [text, EXPORT[index]!])
    await Promise.all(texts.map((text) => report(reporter, text)))
    await eventually(async () => (await api.get('/feedback/items?status=processed')).body.total === 10, WITHIN_MS)
    await settled()
    const themes = await themesOf(api)
    expect(themes.reduce((sum, one) => sum + one.quote_count, 0)).toBe(10)
    expect(themes.length).toBeLessThan(7)
    const { items } = (await api.get('/feedback/items?page_size=100')).body
    const where = new Map<string, string>()
    for (const { id, title } of items) where.set(title, await whereIs(api, id))
    const cards = new Set(CARD.map((text) => where.get(text)))
    expect(EXPORT.filter((text) => cards.has(where.get(text)!))).toEqual([])
    await eventually(async () => {
      const runs = await runsOf(api, automationId)
      return runs.length > 0 && runs.every((one) => one.status === 'succeeded')
    })
  })

  it('merges themes that turn out to be about the same, and the history says so', async () => {
    const { project, api, reporter } = await setUp()
    await submit(api, reporter, [...CARD, ...EXPORT, 'My card still has not come', 'When does my card arrive?'])
    await settled()
    const merged = await ws.sql`
      select payload from events where project_id = ${project.id} and kind = 'theme.merged'`
    const themes = await themesOf(api)
    const deleted = await ws.sql`select 1 from events where project_id = ${project.id} and kind = 'theme.deleted'`
    expect(deleted).toHaveLength(merged.length)
    const created = await ws.sql`select 1 from events where project_id = ${project.id} and kind = 'theme.created'`
    expect(created.length - deleted.length).toBe(themes.length)
    for (const theme of themes) {
      const [row] = await ws.sql`select count(*)::int as quotes from quotes where theme_id = ${theme.id}`
      expect(theme.quote_count).toBe(row!.quotes)
    }
  })

  it('says in the run where an item has gone since', async () => {
    const { api, reporter, automationId } = await setUp()
    const items = await submit(api, reporter, [...CARD, ...EXPORT])
    await settled()
    const runs = (await runsOf(api, automationId)).filter((one) => one.conversation_id)
    const said = await eventually(async () => {
      const texts: string[] = []
      for (const { conversation_id } of runs)
        texts.push(JSON.stringify((await api.get(`/agent_conversations/${conversation_id}`)).body.data))
      const all = texts.join(' ')
      const where = await Promise.all(
        items.map(async ({ id, display_id }) => {
          const { quotes } = (await api.get(`/feedback/items/${id}/sorting`)).body.data
          return new RegExp(`${display_id} (opens|joins|is now in) ${quotes[0].theme_display_id} `)
        }),
      )
      return where.every((pattern) => pattern.test(all)) && all
    }, WITHIN_MS)
    expect(said).toContain('Score')
  })

  it('offers to sort what came before it was switched on, and sorts it', async () => {
    const { api, reporter, automationId } = await setUp()
    await api.patch(`/automations/${automationId}`, { enabled: false })
    const texts = [...CARD, ...EXPORT, 'I love it', 'Please add a dark mode']
    for (const text of texts) await report(reporter, text)
    const path = `/automations/${automationId}/backlog`
    expect((await api.get(path)).body.data).toEqual({ object: 'feedback_backlog', feedback_count: 12 })
    expect((await api.post(path)).status).toBe(409)
    await api.patch(`/automations/${automationId}`, { enabled: true })
    const started = await api.post(path)
    expect([started.status, started.body.data.feedback_count]).toEqual([202, 12])
    await eventually(async () => (await api.get(path)).body.data.feedback_count === 0, WITHIN_MS)
    await eventually(async () => (await runsOf(api, automationId)).every((one) => one.status === 'succeeded'))
    expect(await runsOf(api, automationId)).toHaveLength(2)
    expect((await api.get('/feedback/items?status=processed')).body.total).toBe(11)
  })

  it('uses a theme that a person made, and never changes or ends it', async () => {
    const { api, reporter } = await setUp()
    const mine = await makeTheme(api, { title: 'Cards come late', description: 'Ask the printer.' })
    const [first] = await submit(api, reporter, [CARD[0]!])
    const from = themeIdsOf(first!)[0]!
    await api.post(`/feedback/themes/${mine.id}/feedback_links`, { feedback_item_id: first!.id })
    await api.delete(`/feedback/themes/${from}/feedback_links/${first!.id}`)
    const items = await submit(api, reporter, [...CARD.slice(1), ...EXPORT, 'My card has not arrived'])
    expect(themeIdsOf(items.at(-1)!)).toEqual([mine.id])
    await settled()
    expect(await whereIs(api, first!.id)).toBe(mine.id)
    const { data } = (await api.get(`/feedback/themes/${mine.id}`)).body
    expect(data).toMatchObject({ title: 'Cards come late', description: 'Ask the printer.', type: 'bug' })
    expect((await themesOf(api)).map((one) => one.id)).toContain(from)
  })

  it('leaves an item alone that a person was faster to sort', async () => {
    const { api, reporter, automationId } = await setUp()
    await api.patch(`/automations/${automationId}`, { enabled: false })
    const mine = await makeTheme(api)
    await report(reporter, CARD[0]!)
    const [item] = (await api.get('/feedback/items')).body.items
    await api.post(`/feedback/themes/${mine.id}/feedback_links`, { feedback_item_id: item.id })
    await api.patch(`/automations/${automationId}`, { enabled: true })
    const subject = { resourceType: 'feedback_item', resourceId: item.id }
    const { body } = await api.post(`/automations/${automationId}/runs`, { subject })
    const path = `/automations/${automationId}/runs/${body.data.id}`
    const run = await eventually(async () => {
      const { data } = (await api.get(path)).body
      return data.status === 'succeeded' && data
    }, WITHIN_MS)
    expect(run.changes).toEqual([])
    expect(await themesOf(api)).toHaveLength(1)
  })

  it('does nothing while it is switched off', async () => {
    const { api, reporter, automationId } = await setUp()
    await api.patch(`/automations/${automationId}`, { enabled: false })
    await report(reporter, CARD[0]!)
    const { api: other, reporter: reporting } = await setUp()
    await submit(other, reporting, [CARD[0]!])
    expect(await runsOf(api, automationId)).toEqual([])
    expect((await api.get('/feedback/items')).body.items[0].status).toBe('to_process')
  })
})
