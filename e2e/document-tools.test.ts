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
    await eventually(async () => (await threads())[0]?.[0] === 'Why not five?')
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
    await page.getByRole('menuitem', { name: 'Activity' }).click()
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

  test('an edited comment that the server refuses keeps its words where they belong, also through a reload', async () => {
    const { email, open, api, id } = await openRequirement(app, 'Ten days.\n')
    await api.post(`/requirements/${id}/comments`, { message: 'A comment of a key' })
    const page = await open(email)
    const comments = page.getByRole('dialog', { name: 'Comments' })
    const openComments = () => page.getByRole('button', { name: /open comments?$/ }).click()
    await openComments()
    await comments.getByRole('textbox', { name: 'New comment' }).fill('Why ten?')
    await page.keyboard.press('Enter')
    const own = comments.getByRole('region', { name: 'Comment by Ada Lovelace' })
    await own.click()
    await own.getByRole('button', { name: 'More about the comment' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await page.route('**/threads/**', (route) =>
      route.request().method() === 'PATCH'
        ? route.fulfill({ status: 403, json: { status: 403, code: 'forbidden', detail: 'Not now.' } })
        : route.continue(),
    )
    await own.getByRole('textbox', { name: 'Edit the comment' }).fill('Why not five?')
    await page.keyboard.press('Enter')
    const unsaved = comments.getByRole('region', { name: 'Comment, not saved' })
    await unsaved.getByText('Why not five?').waitFor()
    await unsaved.getByText('Not saved: Not now.').waitFor()
    await page.reload()
    await openComments()
    await unsaved.getByText('Why not five?').waitFor()
    await page.unrouteAll()
    await unsaved.getByRole('button', { name: 'Retry' }).click()
    await own.getByText('Why not five?').waitFor()
    await unsaved.waitFor({ state: 'detached' })
    await eventually(async () =>
      JSON.stringify((await api.get(`/requirements/${id}/comments`)).body).includes('Why not five?'),
    )
  })

  test('a requirement has a status, an owner and approvals, which a later change does not inherit', async () => {
    const { email, open, api, id, join } = await openRequirement(app, 'Ten days.\n')
    await join('Grace Hopper')
    const page = await open(email)
    const line = page.getByRole('region', { name: 'Approval' })
    await line.getByRole('button', { name: 'Change status: Draft' }).click()
    await page.getByRole('option', { name: 'In review' }).click()
    await line.getByRole('button', { name: 'Change owner: No owner' }).click()
    await page.getByRole('option', { name: 'Grace Hopper' }).click()
    await line.getByRole('button', { name: 'Change owner: Grace Hopper' }).waitFor()
    await line.getByRole('button', { name: 'Approve version 1' }).click()
    await line.getByText('Version 1 approved by Ada Lovelace').waitFor()
    await page.getByText('Version approved').waitFor()
    await api.patch(`/requirements/${id}`, { markdown_content: 'Five days.\n' })
    await line.getByText('Changed since Ada Lovelace approved').waitFor()
    await line.getByRole('button', { name: 'Approve version 2' }).click()
    await line.getByText('Version 2 approved by Ada Lovelace').waitFor()
    await line.getByRole('button', { name: 'Withdraw' }).click()
    await line.getByRole('link', { name: 'version 1' }).click()
    await page.getByText('Five').first().waitFor()
  })

  test('Undo of a status or an owner leaves the newer one of somebody else alone, and names them', async () => {
    const { email, open, id, join, project } = await openRequirement(app, 'Ten days.\n')
    const grace = await open(await join('Grace Hopper'))
    const page = await open(email)
    const line = page.getByRole('region', { name: 'Approval' })
    const address = `${app.origin}/v2/app-api/requirements/${id}/state`
    const headers = { 'x-project-id': project.id }
    const state = async () => (await (await grace.request.get(address, { headers })).json()).data
    const undo = page.getByRole('button', { name: 'Undo', exact: true }).last()
    const choose = async (from: string, to: string) => {
      await line.getByRole('button', { name: from }).click()
      await page.getByRole('option', { name: to }).click()
    }
    await choose('Change status: Draft', 'In review')
    await page.getByText('Status: In review', { exact: true }).waitFor()
    await undo.click()
    await eventually(async () => (await state()).status === 'draft')
    await page.getByText('The status was restored').waitFor()
    await choose('Change status: Draft', 'In review')
    await eventually(async () => (await state()).status === 'in_review')
    await grace.request.patch(address, { headers, data: { status: 'retired' } })
    await undo.click()
    await page.getByText('Not undone: Grace Hopper changed the status since.').waitFor()
    await line.getByRole('button', { name: 'Change status: Retired' }).waitFor()
    await choose('Change owner: No owner', 'Grace Hopper')
    await eventually(async () => (await state()).owner?.name === 'Grace Hopper')
    await grace.request.patch(address, { headers, data: { owner_id: null } })
    await undo.click()
    await page.getByText('Not undone: Grace Hopper changed the owner since.').waitFor()
    expect(await state()).toMatchObject({ status: 'retired', owner: null })
  })

  test('a change of the status is shown at once, waits through a reload without a connection, and is sent later', async () => {
    const { email, open, id, api } = await openRequirement(app, 'Ten days.\n')
    const page = await open(email)
    const line = page.getByRole('region', { name: 'Approval' })
    const tree = page.getByRole('tree')
    await page.route('**/app-api/**', (route) =>
      route.request().method() === 'PATCH' ? route.abort() : route.continue(),
    )
    await line.getByRole('button', { name: 'Change status: Draft' }).click()
    await page.getByRole('option', { name: 'In review' }).click()
    await line.getByRole('button', { name: 'Change status: In review' }).waitFor()
    await page.getByText('1 change waits on this device.').waitFor()
    await tree.focus()
    await page.keyboard.press('F2')
    await page.getByLabel('Title of Refunds').fill('Returns')
    await page.keyboard.press('Enter')
    await page.getByText('2 changes wait on this device.').waitFor()
    await page.reload()
    await line.getByRole('button', { name: 'Change status: In review' }).waitFor()
    await tree.getByRole('treeitem', { name: 'Returns' }).waitFor()
    expect((await api.get(`/requirements/${id}`)).body.data.title).toBe('Refunds')
    await page.unrouteAll()
    await eventually(async () => (await api.get(`/requirements/${id}`)).body.data.title === 'Returns', 40_000)
    await page.getByText('Status: In review', { exact: true }).first().waitFor()
  })

  test('a new document is opened only for somebody who is still there, and is deleted although its page is left', async () => {
    const { email, open, api } = await openRequirement(app, 'Ten days.\n')
    const page = await open(email)
    const tree = page.getByRole('tree')
    const { held, goOn } = hold()
    await page.route('**/requirements', async (route) => {
      if (route.request().method() === 'POST') await held
      await route.continue()
    })
    await tree.getByRole('button', { name: 'New in Features' }).click()
    await page.getByLabel('Title of the new requirement').fill('Returns')
    await page.keyboard.press('Enter')
    await tree.getByRole('treeitem', { name: 'Returns' }).waitFor()
    await text(page).getByText('Ten days.').click()
    await page.keyboard.press('End')
    goOn()
    await page.getByText('“Returns” created').waitFor()
    await page.keyboard.type(' Or five.')
    await text(page).getByText('Ten days. Or five.').waitFor()
    await page.getByRole('button', { name: 'Open', exact: true }).click()
    await eventually(async () => (await page.getByRole('textbox', { name: 'Title' }).inputValue()) === 'Returns')

    const titles = async () => (await api.get('/requirements?document_type=FEATURE')).body.items.map(titleOf)
    await tree.focus()
    await page.keyboard.press('Delete')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await tree.getByRole('treeitem', { name: 'Returns' }).waitFor({ state: 'detached' })
    expect(await titles()).toContain('Returns')
    await page.goto('about:blank')
    await eventually(async () => !(await titles()).includes('Returns'))
  })
})

function hold() {
  let goOn = () => {}
  const held = new Promise<void>((resolve) => {
    goOn = resolve
  })
  return { held, goOn: () => goOn() }
}

const titleOf = ({ title }: { title: string }) => title
