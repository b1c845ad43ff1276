import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorkspace, type Workspace } from '../../../../test/harness.ts'
import { uuidv7 } from '../../../kernel/uuid.ts'
import { feedbackProject, link, makeTheme, submitItem } from '../feedback.factory.ts'
import { triageItem } from './engine.ts'

let ws: Workspace
beforeAll(async () => {
  ws = await openWorkspace()
})
afterAll(() => ws.close())

async function setUp() {
  const { project, api, reporter } = await feedbackProject(ws)
  const triage = async (text: string) => {
    const { id } = await submitItem(api, reporter, text)
    const request = { projectId: project.id, itemId: id, ownerId: project.admin.userId, runId: uuidv7() }
    const { reason, changes } = await triageItem(ws.deps, request)
    return { id, reason, themeId: changes[0]?.resourceId, changes }
  }
  const sortingOf = async (id: string) => (await api.get(`/feedback/items/${id}/sorting`)).body.data
  return { api, reporter, triage, sortingOf }
}

describe('triage learns from people', () => {
  it('does not put back what a person took from a theme, nor what is like it', async () => {
    const { api, triage } = await setUp()
    const first = await triage('The PDF export of an invoice is empty')
    const second = await triage('PDF export of my invoice is blank when I use Safari')
    expect(second.themeId).toBe(first.themeId)
    await api.delete(`/feedback/themes/${first.themeId}/feedback_links/${second.id}`)
    const third = await triage('In Safari the PDF export of my invoice is blank')
    expect(third.changes[0]).toMatchObject({ action: 'created' })
    const fourth = await triage('the invoice PDF export is empty')
    expect(fourth.themeId).toBe(first.themeId)
  })

  it('follows an item that a person moved', async () => {
    const { api, triage } = await setUp()
    const first = await triage('Calendar sync with Outlook shows the wrong time')
    const mine = await makeTheme(api, { title: 'Time zones' })
    await link(api, mine.id, first.id)
    await api.delete(`/feedback/themes/${first.themeId}/feedback_links/${first.id}`)
    expect((await triage('Outlook calendar sync has the wrong time')).themeId).toBe(mine.id)
  })

  it('does not follow a person where another report is closer', async () => {
    const { api, triage } = await setUp()
    const asked = await triage('How do I cancel my yearly plan?')
    const charged = await triage('I was charged for the yearly plan although I cancelled in the trial')
    const mine = await makeTheme(api, { title: 'Charged although the trial was cancelled' })
    await link(api, mine.id, charged.id)
    await api.delete(`/feedback/themes/${charged.themeId}/feedback_links/${charged.id}`)
    expect((await triage('How can I cancel my yearly plan?')).themeId).toBe(asked.themeId)
    expect((await triage('They charged me for a yearly plan that I cancelled in the trial')).themeId).toBe(mine.id)
  })

  it('sets aside what is like something that a person processed without a theme, until they take it back', async () => {
    const { api, triage, sortingOf } = await setUp()
    const first = await triage('Do you sponsor local football clubs with jerseys?')
    await api.delete(`/feedback/themes/${first.themeId}`)
    await api.patch(`/feedback/items/${first.id}`, { status: 'processed' })
    const second = await triage('would you sponsor our local football club with jerseys')
    expect(second).toMatchObject({ changes: [], reason: expect.stringContaining('set aside by hand') })
    expect((await sortingOf(second.id)).quotes).toEqual([])
    await api.patch(`/feedback/items/${first.id}`, { status: 'to_process' })
    expect((await triage('Can you sponsor jerseys for our local football club?')).changes).not.toEqual([])
  })
})

describe('triage', () => {
  it('opens no theme for praise, noise and advertising, and says why', async () => {
    const { triage, sortingOf } = await setUp()
    for (const text of ['I love it!', '👍', 'ok', 'sehr gut, danke']) {
      const { id, changes, reason } = await triage(text)
      expect({ text, changes }).toEqual({ text, changes: [] })
      expect(reason).toContain('names nothing to work on')
      expect(await sortingOf(id)).toMatchObject({ verdict: 'not_sorted', quotes: [] })
    }
    const spam = await triage('Our agency offers SEO. First page of Google guaranteed, reply YES for a free audit!')
    expect(spam).toMatchObject({ changes: [], reason: expect.stringContaining('advertising') })
    expect(await sortingOf(spam.id)).toMatchObject({ verdict: 'not_feedback' })
  })

  it('gives a mail with three requests three quotes, each in its own theme', async () => {
    const { triage, sortingOf } = await setUp()
    const dark = await triage('dark mode please')
    const mail = await triage(
      'Hi all,\n\nthank you for the quick help last week!\n\n1. A dark mode would be great.\n2. Excel export of the report fails with an error.\n3. Please add two-factor login.\n\nBest regards\nHanna',
    )
    const { quotes } = await sortingOf(mail.id)
    expect(quotes.map((one: { text_excerpt: string }) => one.text_excerpt)).toEqual([
      'A dark mode would be great.',
      'Excel export of the report fails with an error.',
      'Please add two-factor login.',
    ])
    expect(quotes[0]).toMatchObject({ theme_id: dark.themeId, is_by_person: false })
    expect(quotes[0].reason).toContain('*dark mode*')
    expect(new Set(quotes.map((one: { theme_id: string }) => one.theme_id)).size).toBe(3)
  })

  it('keeps a leak apart from what happens in the same place, and makes it urgent', async () => {
    const { api, triage } = await setUp()
    const login = await triage('I cannot log in to my account with my password')
    const leak = await triage("After I log in to my account I see another customer's orders")
    expect(leak.themeId).not.toBe(login.themeId)
    expect((await api.get(`/feedback/themes/${leak.themeId}`)).body.data).toMatchObject({
      type: 'bug',
      priority: 'urgent',
    })
  })

  it('puts the same matter in two languages into one theme, and does not sort by language', async () => {
    const { triage } = await setUp()
    const english = await triage('The password reset e-mail never arrives')
    const german = await triage('Die E-Mail zum Zurücksetzen des Passworts kommt nicht an')
    const other = await triage('Der Kalender synchronisiert nicht mehr')
    expect(german.themeId).toBe(english.themeId)
    expect(other.themeId).not.toBe(german.themeId)
  })
})
