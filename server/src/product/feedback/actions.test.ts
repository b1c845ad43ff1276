import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { openWorkspace, type Workspace } from '../../../test/harness.ts'
import { slices } from '../../app.ts'
import { feedbackProject, link, makeTheme, report, submitItem, themeOf, themeValues } from './feedback.factory.ts'
import {
  createTheme,
  linkItem,
  listThemeQuotes,
  loadTheme,
  moveQuote,
  searchItems,
  searchThemes,
  submitFeedback,
  type ThemeValues,
} from './index.ts'

let ws: Workspace
beforeAll(async () => {
  ws = await openWorkspace()
})
afterAll(() => ws.close())

const values: ThemeValues = { ...themeValues(), status: 'unresolved', markdownContent: '' } as ThemeValues

describe('what works by itself', () => {
  it('leaves marks that tell its themes and quotes from those of people', async () => {
    const { project, api, reporter } = await feedbackProject(ws)
    const machine = project.operator
    const item = await submitItem(api, reporter)
    const theme = await createTheme(machine, values)
    await linkItem(machine, theme.id, item.id)
    expect(await loadTheme(machine, theme.id)).toMatchObject({ origin: 'system', pinnedAt: null, quoteCount: 1 })
    expect(await listThemeQuotes(ws.sql, project.id, theme.id, 10)).toMatchObject([
      { origin: 'system', pinnedAt: null },
    ])

    await api.patch(`/feedback/themes/${theme.id}`, { priority: 'low' })
    expect((await loadTheme(machine, theme.id)).pinnedAt).not.toBeNull()
    const second = await submitItem(api, reporter)
    await link(api, theme.id, second.id)
    const quotes = await listThemeQuotes(ws.sql, project.id, theme.id, 10)
    expect(quotes.map((one) => [one.origin, one.pinnedAt === null])).toEqual([
      ['system', true],
      ['external_api', false],
    ])
    expect(await loadTheme(machine, (await makeTheme(api)).id)).toMatchObject({
      origin: 'external_api',
      pinnedAt: expect.any(String),
    })
  })

  it('moves a quote with its words, and into a theme that has the item already', async () => {
    const { project, api, reporter } = await feedbackProject(ws)
    const item = await submitItem(api, reporter)
    const [a, b] = [await makeTheme(api), await makeTheme(api)]
    await link(api, a.id, item.id, { text_excerpt: 'these words' })
    const moved = await moveQuote(project.operator, a.id, b.id, item.id)
    expect(moved).toMatchObject({ themeId: b.id, textExcerpt: 'these words' })
    expect([(await themeOf(api, a.id)).quote_count, (await themeOf(api, b.id)).quote_count]).toEqual([0, 1])
    await link(api, a.id, item.id)
    expect(await moveQuote(project.operator, a.id, b.id, item.id)).toEqual(moved)
    expect((await themeOf(api, b.id)).quote_count).toBe(1)
    await expect(moveQuote(project.operator, a.id, b.id, item.id)).rejects.toMatchObject({ status: 404 })
  })

  it('finds themes and items by all of some words, in its own project alone', async () => {
    const { project, api, reporter } = await feedbackProject(ws)
    const other = await feedbackProject(ws)
    await makeTheme(other.api, { title: 'Slow checkout' })
    const slow = await makeTheme(api, { title: 'Slow checkout', description: '100% of the time' })
    await makeTheme(api, { title: 'Checkout looks odd' })
    const titles = async (...words: string[]) =>
      (await searchThemes(ws.sql, project.id, words, 10)).map((one) => one.title)
    expect(await titles('CHECKOUT')).toEqual(['Checkout looks odd', 'Slow checkout'])
    expect(await titles('checkout', 'slow')).toEqual(['Slow checkout'])
    expect(await titles('100%')).toEqual([slow.title])
    expect(await titles('1%')).toEqual([])
    await report(reporter, 'The cart is slow')
    await report(reporter, 'The cart is empty')
    const found = await searchItems(ws.sql, project.id, ['CART', 'slow'], 10)
    expect(found.map((one) => one.title)).toEqual(['The cart is slow'])
  })
})

describe('a report that someone waits for', () => {
  it('is queued for them, once, in the statement that stores it', async () => {
    const waiting = await openWorkspace({
      slices: [...slices, { name: 'waiting', on: { 'feedback_item.submitted': async () => undefined } }],
    })
    onTestFinished(waiting.close)
    const { project, reporter } = await feedbackProject(waiting)
    await Promise.all(Array.from({ length: 12 }, (_, index) => report(reporter, `Report ${index}`)))
    const events = await waiting.sql`select id::text as id from events
      where project_id = ${project.id} and kind = 'feedback_item.submitted' order by id`
    const jobs = await waiting.sql<{ payload: { projectId: string; id: string } }[]>`
      select payload from graphile_worker._private_jobs`
    const queued = jobs.filter((job) => job.payload.projectId === project.id).map((job) => job.payload.id)
    expect(queued.sort()).toEqual(events.map((event) => event.id).sort())
    expect(queued).toHaveLength(12)
  })

  it('can be handed in by other doors too', async () => {
    const { project, api } = await feedbackProject(ws)
    const number = await submitFeedback(project.operator, {
      endUserEmail: 'a@example.org',
      content: 'By hand',
      attachments: [],
    })
    expect(number).toBe(1)
    expect((await api.get('/feedback/items')).body.items[0]).toMatchObject({ display_id: 'FB-1', title: 'By hand' })
  })
})
