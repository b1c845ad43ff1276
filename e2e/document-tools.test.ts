import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser } from '../server/test/browser.ts'
import { eventually } from '../server/test/harness.ts'
import { type OpenApp, openApp } from './open-app.ts'
import { openRequirement, textOf as text } from './open-document.ts'

describe.runIf(hasBrowser)('what a document offers as a whole', () => {
  let app: OpenApp
  beforeAll(async () => {
    app = await openApp()
  })
  afterAll(() => app.close())

  test('a comment is edited and deleted by its author, and Undo brings it back', async () => {
    const { email, join, open, api, id } = await openRequirement(app, 'Ten days.\n')
    const other = await open(await join('Grace Hopper'))
    const grace = other.getByRole('dialog', { name: 'Comments' })
    const page = await open(email)
    const ada = page.getByRole('dialog', { name: 'Comments' })
    const threads = async () =>
      (await api.get(`/requirements/${id}/comments`)).body.items.map((one: { messages: { message: string }[] }) =>
        one.messages.map(({ message }) => message),
      )
    await page.getByRole('button', { name: 'Comment', exact: true }).click()
    await ada.getByRole('textbox', { name: 'New comment' }).fill('Why ten?')
    await page.keyboard.press('Enter')
    await ada.getByRole('region', { name: 'Comment by Ada Lovelace' }).click()
    await ada.getByRole('button', { name: 'More about the comment' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await ada.getByRole('textbox', { name: 'Edit the comment' }).fill('Why not five?')
    await page.keyboard.press('Enter')
    await ada.getByText('· edited').waitFor()
    expect(await threads()).toEqual([['Why not five?']])
    await other.getByRole('button', { name: '1 open comment' }).click()
    await grace.getByRole('region', { name: 'Comment by Ada Lovelace' }).click()
    await grace.getByText('Why not five?').waitFor()
    expect(await grace.getByRole('button', { name: 'More about the comment' }).count()).toBe(0)
    await ada.getByRole('button', { name: 'More about the comment' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByText('Comment deleted').waitFor()
    await eventually(async () => (await threads()).length === 0)
    await grace.getByText('No open comments.').waitFor()
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await grace.getByText('Why not five?').waitFor()
    expect(await threads()).toEqual([['Why not five?']])

    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('option', { name: 'Activity' }).click()
    const activity = page.getByRole('dialog', { name: 'Activity' }).getByRole('listitem')
    await activity.getByText('brought a comment back').waitFor()
    const said = (await activity.getByRole('paragraph').allTextContents()).map((one) =>
      one.replace(/ (just now|\d+ min)$/, ''),
    )
    expect(said.slice(-4)).toEqual([
      'Ada Lovelace commented',
      'Ada Lovelace edited a comment',
      'Ada Lovelace deleted a comment',
      'Ada Lovelace brought a comment back',
    ])
  })

  test('an empty document starts with a template, also with one of the project', async () => {
    const { email, open, becomes, api, content } = await openRequirement(app, '')
    const home = { title: 'Templates', document_type: 'FEATURE', markdown_content: '' }
    const { id: parent_id } = (await api.post('/requirements', home)).body.data
    await api.post('/requirements', { ...home, title: 'Interview', parent_id, markdown_content: '## Who\n\n…\n' })
    const page = await open(email)
    await page.getByRole('button', { name: 'Decision' }).waitFor()
    await page.getByRole('button', { name: 'Interview' }).click()
    await becomes('## Who\n\n…\n')
    await page.getByRole('region', { name: 'Templates' }).waitFor({ state: 'detached' })
    await page.getByText('1 word', { exact: true }).waitFor()
    await text(page).focus()
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Backspace')
    await page.getByRole('button', { name: 'Requirement', exact: true }).click()
    await eventually(async () => (await content()).startsWith('## Problem\n'))
  })

  test('a document is duplicated beside itself, and downloaded as markdown and for Word', async () => {
    const markdown = '# Money\n\nBack in {--ten--}{++five++} days.\n'
    const { email, open, api, id } = await openRequirement(app, markdown)
    const page = await open(email)
    const pick = async (name: string) => {
      await page.getByRole('button', { name: 'More', exact: true }).click()
      await page.getByRole('menuitem', { name }).click()
    }
    const saved = async (name: string) => {
      const [download] = await Promise.all([page.waitForEvent('download'), pick(name)])
      return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) }
    }
    const source = await saved('Download as markdown')
    expect([source.name, source.bytes.toString()]).toEqual(['Refunds.md', markdown])
    const word = await saved('Download for Word')
    expect([word.name, word.bytes.subarray(0, 2).toString()]).toEqual(['Refunds.docx', 'PK'])
    await pick('Duplicate')
    await page.waitForURL((url) => !url.href.endsWith(id))
    await page.getByRole('textbox', { name: 'Title' }).waitFor()
    const copy = page.url().split('/').at(-1)!
    const { data } = (await api.get(`/requirements/${copy}`)).body
    expect([data.title, data.markdown_content]).toEqual(['Refunds (copy)', '# Money\n\nBack in ten days.\n'])
  })

  test('on paper stands the text with its title and nothing else', async () => {
    const { email, open } = await openRequirement(app, '# Money\n\nBack in ten days.\n')
    const page = await open(email)
    await page.getByText('5 words').waitFor()
    await page.emulateMedia({ media: 'print' })
    const shown = await page.evaluate('document.body.innerText')
    expect((shown as string).split(/\s*\n\s*/).filter(Boolean)).toEqual(['Money', 'Back in ten days.'])
    expect(await page.getByRole('textbox', { name: 'Title' }).isVisible()).toBe(true)
    expect(await page.getByRole('button').count()).toBe(0)
  })

  test('a requirement has a status, an owner and approvals, which a later change does not inherit', async () => {
    const { email, open, api, id, join } = await openRequirement(app, 'Ten days.\n')
    await join('Grace Hopper')
    const page = await open(email)
    const line = page.getByRole('region', { name: 'Approval' })
    await line.getByRole('button', { name: 'Status: Draft' }).click()
    await page.getByRole('option', { name: 'In review' }).click()
    await line.getByRole('button', { name: 'Owner: No owner' }).click()
    await page.getByRole('option', { name: 'Grace Hopper' }).click()
    await line.getByRole('button', { name: 'Owner: Grace Hopper' }).waitFor()
    await line.getByRole('button', { name: 'Approve version 1' }).click()
    await line.getByText('Version 1 approved by Ada Lovelace').waitFor()
    await api.patch(`/requirements/${id}`, { markdown_content: 'Five days.\n' })
    await line.getByText('Changed since Ada Lovelace approved').waitFor()
    await line.getByRole('button', { name: 'Approve version 2' }).click()
    await line.getByText('Version 2 approved by Ada Lovelace').waitFor()
    await line.getByRole('button', { name: 'Withdraw' }).click()
    await line.getByRole('link', { name: 'version 1' }).click()
    await page.getByText('Five').first().waitFor()
  })
})
