import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, openWorkspace, type Workspace } from '../../../../test/harness.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { feedbackProject, itemOf, link, NEVER, submitItem, themeOf } from '../feedback.factory.ts'
import { linkItem } from '../themes/quotes.ts'
import { createTheme } from '../themes/themes.ts'
import { withProject } from './knowledge.ts'
import { keyOf } from './memory.ts'
import { regroupFeedback } from './regroup.ts'

let ws: Workspace
beforeAll(async () => {
  ws = await openWorkspace()
})
afterAll(() => ws.close())

const CARD = [
  'My card has not arrived yet',
  'When will my new card arrive?',
  'I am still waiting for my card to arrive',
  'My new card has not arrived',
  'The card I ordered has not arrived',
  'Why has my card not arrived yet?',
]
const EXPORT = [
  'The export to Excel is empty',
  'The Excel export is empty again',
  'Export to Excel gives an empty file',
  'My Excel export has no rows, it is empty',
]

/** Themes that Slipway made, with items that it put there. */
async function setUp(...groups: string[][]) {
  const { project, api, reporter } = await feedbackProject(ws)
  const items = new Map<string, string>()
  const themes: string[] = []
  for (const texts of groups) {
    const { id } = await createTheme(project.operator, {
      title: texts[0]!,
      description: '',
      markdownContent: '',
      status: 'unresolved',
      type: 'other',
      priority: 'low',
    })
    themes.push(id)
    for (const text of texts) {
      items.set(text, (await submitItem(api, reporter, text)).id)
      await linkItem(project.operator, id, items.get(text)!)
    }
  }
  const where = async (text: string) => (await itemOf(api, items.get(text)!)).connectedContext[0].resourceId as string
  return { project, api, items, themes, where }
}

const lookOver = (projectId: string) => regroupFeedback({ projectId }, ws.deps)
const eventsOf = ({ actor }: Ctx, kind: string) => ws.sql`
  select subject_id, payload from events where project_id = ${actor.projectId} and kind = ${kind} order by id`
const themesOf = async (api: Client) =>
  (await api.get('/feedback/themes')).body.items.map((one: { id: string }) => one.id) as string[]

describe('looking over themes', () => {
  it('merges those about the same, moves their quotes and says so', async () => {
    const { project, api, items, themes, where } = await setUp(CARD.slice(0, 3), CARD.slice(3), EXPORT)
    await lookOver(project.id)
    const [first, second, exporting] = themes as [string, string, string]
    const kept = await where(CARD[0]!)
    const ended = kept === first ? second : first
    for (const text of CARD) expect(await where(text)).toBe(kept)
    expect((await themesOf(api)).sort()).toEqual([kept, exporting].sort())
    expect((await themeOf(api, kept)).quote_count).toBe(6)
    expect(await eventsOf(project.operator, 'theme.merged')).toMatchObject([
      { subject_id: kept, payload: { theme_id: ended, reason: expect.stringContaining('alike') } },
    ])
    const history = (await api.get(`/feedback/themes/${kept}/history`)).body.items
    expect(history).toMatchObject([
      { kind: 'created' },
      { kind: 'merged', theme_id: ended, theme_title: expect.any(String) },
    ])
    for (const text of CARD) {
      const { data } = (await api.get(`/feedback/items/${items.get(text)!}/sorting`)).body
      expect(data.quotes).toMatchObject([
        { theme_id: kept, reason: expect.stringMatching(/with what is there|much the same/) },
      ])
    }
    const linked = (await eventsOf(project.operator, 'theme.feedback_linked')).filter((one) => one.payload.regrouped)
    expect(linked.map((one) => one.subject_id)).toEqual([kept, kept, kept])
    expect(items.size).toBe(10)
    for (const id of items.values()) expect((await itemOf(api, id)).status).toBe('processed')
  })

  it('leaves one quote of an item whose matters come together', async () => {
    const both = `1. ${EXPORT[0]}.\n2. ${EXPORT[1]}.`
    const { project, api, items, themes } = await setUp([EXPORT[2]!, both], [EXPORT[3]!])
    const item = items.get(both)!
    const { quote } = await linkItem(project.operator, themes[1]!, item)
    await ws.sql`update quotes set matter = 1 where id = ${quote.id}`
    await lookOver(project.id)
    const [kept, ...others] = await themesOf(api)
    expect(others).toEqual([])
    expect((await itemOf(api, item)).connectedContext).toEqual([{ resourceType: 'theme', resourceId: kept }])
    expect((await themeOf(api, kept!)).quote_count).toBe(3)
    const told = async (kind: string) => {
      const events = await eventsOf(project.operator, `theme.feedback_${kind}`)
      return events.filter((one) => one.payload.regrouped && one.payload.feedback_item_id === item).length
    }
    expect([await told('unlinked'), await told('linked')]).toEqual([1, 0])
  })

  it('splits one that holds two things', async () => {
    const { project, api, themes, where } = await setUp([...CARD, ...EXPORT])
    await lookOver(project.id)
    const [cards, exports] = [await where(CARD[0]!), await where(EXPORT[0]!)]
    expect(cards).not.toBe(exports)
    expect([cards, exports]).toContain(themes[0])
    for (const text of CARD) expect(await where(text)).toBe(cards)
    for (const text of EXPORT) expect(await where(text)).toBe(exports)
    expect((await themeOf(api, exports)).title).toMatch(/export/i)
    const [split] = (await api.get(`/feedback/themes/${themes[0]}/history`)).body.items.slice(1)
    expect(split).toMatchObject({ kind: 'split', theme_id: cards === themes[0] ? exports : cards })
    expect(split.reason).toContain('different things')
  })

  it('says of each report why it is there now, and not why it was', async () => {
    const texts = ['Please add a dark mode', EXPORT[0]!]
    const { project, api, items, where } = await setUp(texts)
    await lookOver(project.id)
    expect(await where(texts[0]!)).not.toBe(await where(texts[1]!))
    for (const text of texts) {
      const { data } = (await api.get(`/feedback/items/${items.get(text)!}/sorting`)).body
      expect(data.quotes).toMatchObject([{ reason: 'Nothing else is near enough to it.' }])
    }
  })

  it('gives a theme the type and the priority of what has joined it', async () => {
    const { project, api, themes } = await setUp(EXPORT, ['I was charged twice'])
    await lookOver(project.id)
    expect(await themeOf(api, themes[0]!)).toMatchObject({ type: 'bug', priority: 'medium' })
    expect(await themeOf(api, themes[1]!)).toMatchObject({ type: 'bug', priority: 'high' })
  })

  it.each<[string, (api: Client, themeId: string, itemId: string) => Promise<unknown>]>([
    ['renamed', (api, id) => api.patch(`/feedback/themes/${id}`, { title: 'Cards' })],
    ['linked an item to', (api, id, itemId) => link(api, id, itemId)],
    ['took an item from', (api, id, itemId) => api.delete(`/feedback/themes/${id}/feedback_links/${itemId}`)],
  ])('leaves alone what a person %s', async (_what, touch) => {
    const { project, api, items, themes } = await setUp(CARD.slice(0, 3), CARD.slice(3), EXPORT)
    const other = items.get(_what === 'linked an item to' ? EXPORT[0]! : CARD[0]!)!
    const answer = (await touch(api, themes[0]!, other)) as { status: number }
    expect(answer.status).toBeLessThan(300)
    const before = await themeOf(api, themes[0]!)
    await lookOver(project.id)
    expect(await themeOf(api, themes[0]!)).toEqual(before)
    expect(await eventsOf(project.operator, 'theme.merged')).toEqual([])
  })

  it('changes nothing the second time', async () => {
    const { project, api } = await setUp(CARD.slice(0, 3), CARD.slice(3), EXPORT)
    await lookOver(project.id)
    const themes = await themesOf(api)
    const events = () => ws.sql`select id from events where project_id = ${project.id} order by id`
    const before = await events()
    await lookOver(project.id)
    expect(await themesOf(api)).toEqual(themes)
    expect(await events()).toEqual(before)
  })

  it('remembers nothing of a review that failed', async () => {
    const { project, items, themes } = await setUp(EXPORT)
    const key = keyOf(items.get(EXPORT[0]!)!, 0)
    const failing = withProject(ws.deps, project.id, async (_db, { memory }) => {
      memory.put({ ...memory.get(key)!, themeId: NEVER })
      throw new Error('Failed')
    })
    await expect(failing).rejects.toThrow('Failed')
    const entry = await withProject(ws.deps, project.id, async (_db, { memory }) => memory.get(key))
    expect(entry).toMatchObject({ themeId: themes[0] })
  })

  it('remembers nothing of an attempt that PostgreSQL made it repeat', async () => {
    const { project, items, themes } = await setUp(EXPORT)
    const key = keyOf(items.get(EXPORT[0]!)!, 0)
    const seen: (string | undefined)[] = []
    await withProject(ws.deps, project.id, async (db, { memory }) => {
      seen.push(memory.get(key)?.themeId)
      memory.put({ ...memory.get(key)!, themeId: NEVER })
      if (seen.length === 1) await db`do $$ begin raise exception using errcode = '40P01'; end $$`
    })
    expect(seen).toEqual([themes[0], themes[0]])
  })

  it('does nothing for a project that is gone', async () => {
    await expect(regroupFeedback({ projectId: NEVER }, ws.deps)).resolves.toBeUndefined()
  })
})
