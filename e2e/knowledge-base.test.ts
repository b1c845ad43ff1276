import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser } from '../server/test/browser.ts'
import { eventually } from '../server/test/harness.ts'
import { findingsOn } from './accessibility-findings.ts'
import { type OpenApp, openApp } from './open-app.ts'
import { PDF } from './pdf.factory.ts'

const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="60" onload="top.ran=1"><script>top.ran=1</script><rect width="80" height="60" fill="#0b6b7d"/></svg>'
const HOSTILE_NAME = '<img src=x onerror=ran=1> "quoted".svg'

describe.runIf(hasBrowser)('the knowledge base', () => {
  let app: OpenApp
  beforeAll(async () => {
    app = await openApp()
  })
  afterAll(() => app.close())

  async function setUp(options: Parameters<OpenApp['page']>[0] = {}) {
    const made = await app.team()
    const { api } = made.project.admin
    const add = async (body: object) => (await api.post('/artifacts', body)).body.data.id as string
    const path = `/p/${made.project.id}/knowledge-base`
    const open = async (as: string, at = '') => {
      const page = await app.page({ ...options, as })
      await page.goto(`${app.origin}${path}${at}`)
      return page
    }
    const page = await open(made.email)
    const go = (at = '') => page.goto(`${app.origin}${path}${at}`)
    return { ...made, api, add, open, page, go }
  }
  const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
  const choose = (page: Page, files: { name: string; mimeType: string; buffer: Buffer }[]) =>
    page.getByLabel('Files to upload').setInputFiles(files)
  const file = (name: string, text: string, mimeType = 'text/plain') => ({ name, mimeType, buffer: Buffer.from(text) })
  /** Drops what an expression in the page makes. */
  const drop = (page: Page, transfer: string) =>
    page.evaluate(`(() => {
      const drop = new DragEvent('drop', { bubbles: true, cancelable: true })
      Object.defineProperty(drop, 'dataTransfer', { value: { types: ['Files'], ...${transfer} } })
      document.querySelector('[role="grid"]').dispatchEvent(drop)
    })()`)
  const menu = (page: Page, name: string) => page.getByRole('menuitem', { name, exact: true })

  test('two people see each other upload, rename, move and delete; each can be undone', async () => {
    const { page, join, open, add } = await setUp()
    const research = await add({ type: 'folder', name: 'Research' })
    const other = await open(await join('Grace Hopper'))
    await choose(page, [file('fees.csv', 'card,fee\nvisa,1.2\n', 'text/csv')])
    await page.getByText('1 of 1 done').waitFor()
    await row(other, 'fees.csv').waitFor()
    expect(await findingsOn(page)).toEqual([])

    await row(page, 'fees.csv').hover()
    await page.getByRole('button', { name: 'More about fees.csv' }).click()
    await menu(page, 'Rename').click()
    await page.getByLabel('Name of fees.csv').fill('provider-fees.csv')
    await page.keyboard.press('Enter')
    await row(other, 'provider-fees.csv').waitFor()

    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    await page.getByRole('toolbar', { name: 'Selected files' }).getByRole('button', { name: 'Move' }).click()
    await page.getByRole('option', { name: 'Research' }).click()
    await row(other, 'provider-fees.csv').waitFor({ state: 'detached' })
    await row(other, 'Research').getByText('1 item').waitFor()
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await row(other, 'provider-fees.csv').waitFor()

    await other.goto(`${other.url()}/${research}`)
    await row(page, 'Research').click({ button: 'right' })
    await menu(page, 'Delete').click()
    await other.getByText('There is no such file').waitFor()
    await page.getByRole('link', { name: 'Trash' }).click()
    await page.getByRole('button', { name: 'Restore Research' }).waitFor()
    expect(await findingsOn(page)).toEqual([])
    await page.getByRole('button', { name: 'Restore Research' }).click()
    await other.getByText('This folder is empty').waitFor()
  })

  test('who renames or moves back what somebody else has changed since replaces nothing, and learns what it is', async () => {
    const { page, join, open, add, api } = await setUp()
    const [research, legal] = [
      await add({ type: 'folder', name: 'Research' }),
      await add({ type: 'folder', name: 'Legal' }),
    ]
    const notes = await add({ name: 'Notes' })
    const terms = await add({ name: 'Terms' })
    const grace = await open(await join('Grace Hopper'))
    const nameOf = async (id: string) => (await api.get(`/artifacts/${id}`)).body.data.name
    const folderOf = async (id: string) => (await api.get(`/artifacts/${id}`)).body.data.folder_path

    // The field still shows what Ada renames, although Grace's name arrives behind it.
    await row(page, 'Notes').click({ button: 'right' })
    await menu(page, 'Rename').click()
    const field = page.getByLabel(/^Name of/)
    await field.fill('Minutes')
    await row(grace, 'Notes').click({ button: 'right' })
    await menu(grace, 'Rename').click()
    await grace.getByLabel('Name of Notes').fill('Protocol')
    await grace.keyboard.press('Enter')
    await page.getByLabel('Name of Protocol').press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Name of “Notes” was changed meanwhile' })
    await dialog.getByText('Grace Hopper changed the same lines').waitFor()
    expect(await nameOf(notes)).toBe('Protocol')
    await dialog.getByRole('button', { name: 'Keep mine' }).click()
    await eventually(async () => (await nameOf(notes)) === 'Minutes')

    for (const name of ['Minutes', 'Terms']) await page.getByRole('button', { name: `Select ${name}` }).click()
    await page.keyboard.press('m')
    await page.getByRole('option', { name: 'Research' }).click()
    await eventually(async () => (await folderOf(terms)) === 'Research')
    await api.patch(`/artifacts/${terms}`, { parent_id: legal })
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await page.getByText('“Minutes” moved back').waitFor()
    await page.getByText('“Terms” was not moved back').waitFor()
    await page.getByText('Somebody has moved "Terms" to "Legal" since').waitFor()
    expect([await folderOf(notes), await folderOf(terms)]).toEqual(['', 'Legal'])
    expect((await api.get(`/artifacts/${research}`)).status).toBe(200)
  })

  test('a dropped folder arrives with its folders, and a name that is taken is replaced or kept beside', async () => {
    const { page, api, add, go } = await setUp()
    await add({ name: 'unrelated' })
    await page.getByRole('row').first().waitFor()
    const names = Array.from({ length: 300 }, (_, at) => `shot-${at}.txt`)
    await drop(
      page,
      `(() => {
      const file = (name) => ({ isFile: true, name, file: (take) => take(new File(['x'], name, { type: 'text/plain' })) })
      const folder = (name, entries) => ({ isFile: false, name, createReader: () => {
        let left = entries
        return { readEntries: (take) => { take(left.slice(0, 100)); left = left.slice(100) } }
      } })
      const dropped = folder('Screens', [folder('October', ${JSON.stringify(names)}.map(file)), file('.DS_Store')])
      return { files: [], items: [{ webkitGetAsEntry: () => dropped }] }
    })()`,
    )
    await page.getByText('300 of 300 done').waitFor({ timeout: 60_000 })
    const inside = await api.get('/artifacts?folder_path=Screens/October&page_size=1')
    expect(inside.body.total).toBe(300)
    await page.getByRole('button', { name: 'Close', exact: true }).click()

    const contentOf = async (name: string) => {
      const { items } = (await api.get(`/artifacts?name=${name}&recursive=false`)).body
      return (await api.get(`/artifacts/${items[0].id}/content`)).text
    }
    await choose(page, [file('notes.txt', 'first')])
    await page.getByText('1 of 1 done').waitFor()
    await choose(page, [file('notes.txt', 'second')])
    await page.getByRole('button', { name: 'Replace', exact: true }).click()
    await page.getByText('1 of 1 done').waitFor()
    expect(await contentOf('notes.txt')).toBe('second')
    await page.getByRole('button', { name: 'Undo: earlier content of notes.txt' }).click()
    await page.getByText('“notes.txt” has its earlier content again').waitFor()
    expect(await contentOf('notes.txt')).toBe('first')
    await page.getByRole('row').getByText('notes.txt').click()
    const earlier = page.getByRole('region', { name: 'Earlier contents' })
    await earlier.getByText('Ada Lovelace').waitFor()
    await earlier.getByRole('button', { name: 'Restore' }).click()
    await eventually(async () => (await contentOf('notes.txt')) === 'second')
    await go()
    await choose(page, [file('notes.txt', 'third')])
    await page.getByRole('button', { name: 'Keep both' }).click()
    await row(page, 'notes 2.txt').waitFor()
  }, 120_000)

  test('an upload of 50 MB goes on after a reload in one of two tabs, and its tray is on every page', async () => {
    const { page, api, add } = await setUp()
    await add({ name: 'unrelated' })
    await page.getByRole('row').first().waitFor()
    let held = 0
    // The second part does not arrive before the page is loaded again.
    await page.route('**/parts/2', (route) => (held++ === 0 ? undefined : route.continue()))
    // Made in the page: sending 50 MB to the browser would take longer than the upload.
    await drop(
      page,
      `{ items: [], files: [
      new File(Array.from({ length: 50 }, () => new Uint8Array(1024 * 1024)), 'session.bin')] }`,
    )
    await eventually(() => held === 1)
    await page.getByRole('link', { name: 'Work Orders' }).click()
    await page.getByRole('region', { name: 'Uploads' }).getByText('session.bin').waitFor()
    const other = await page.context().newPage()
    let sent = 0
    await other.route('**/parts/*', (route) => {
      sent++
      return route.continue()
    })
    await other.goto(page.url())
    await other.getByRole('region', { name: 'Uploads' }).getByText('Another tab uploads it').waitFor()
    expect(sent).toBe(0)
    // Whoever waited goes on, and the page that is loaded again shows it.
    await page.reload()
    await page.getByRole('region', { name: 'Uploads' }).getByText('Another tab uploads it').waitFor()
    await other.getByRole('region', { name: 'Uploads' }).getByText('1 of 1 done').waitFor({ timeout: 60_000 })
    await page.getByRole('region', { name: 'Uploads' }).waitFor({ state: 'detached' })
    expect([held, sent]).toEqual([1, 6])
    const { items } = (await api.get('/artifacts?name=session.bin')).body
    expect(items[0].size_bytes).toBe(50 * 1024 * 1024)
  }, 120_000)

  test('files are shown and never run: pictures, PDF, tables, code and documents', async () => {
    const { page, add, api, go } = await setUp({ width: 1440 })
    await choose(page, [
      file(HOSTILE_NAME.replaceAll('"', "'"), SVG, 'image/svg+xml'),
      file('study.pdf', PDF, 'application/pdf'),
      file('fees.csv', 'card,fee\n"visa, mastercard",1.2\n', 'text/csv'),
      file('page.html', '<script>ran=1</script><b>bold</b>', 'text/html'),
      file('data.bin', 'x\0y', 'application/octet-stream'),
    ])
    await page.getByText('5 of 5 done').waitFor()
    await page.getByRole('button', { name: 'Close', exact: true }).click()
    const openRow = (name: string) => page.getByRole('row').getByText(name).click()
    const beside = page.locator('aside').last()
    await openRow('onerror')
    await beside.locator('img').waitFor()
    await beside.getByRole('button', { name: 'Larger' }).click()
    await beside.getByText('150 %').waitFor()
    await openRow('study.pdf')
    await beside.locator('canvas[data-drawn="1"]').waitFor({ timeout: 30_000 })
    await beside.getByText('1 of 1').waitFor()
    expect(await findingsOn(page)).toEqual([])
    await openRow('fees.csv')
    await beside.getByRole('cell', { name: 'visa, mastercard' }).waitFor()
    await openRow('page.html')
    await beside.getByText('<b>bold</b>').waitFor()
    await openRow('data.bin')
    await beside.getByRole('button', { name: /^Download ·/ }).waitFor()
    expect(await page.evaluate('window.ran')).toBeUndefined()

    const id = await add({ name: 'Decline codes', markdown_content: 'Code **05**' })
    const requirement = (await api.post('/requirements', { title: 'Pay by card', document_type: 'FEATURE' })).body.data
    await go(`/${id}`)
    await page.getByText('05', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Connect' }).click()
    await page.getByRole('option', { name: 'Pay by card' }).first().click()
    await page
      .getByRole('region', { name: 'Used in' })
      .getByRole('link', { name: /Pay by card/ })
      .waitFor()
    await page.getByRole('textbox', { name: 'Text', exact: true }).fill('Code 51: ask for another card')
    await page.getByText('Code 51: ask for another card').waitFor()
    await page.getByText('Saved').waitFor()
    expect(await findingsOn(page)).toEqual([])
    await page.goto(`${app.origin}/p/${page.url().split('/')[4]}/requirements/${requirement.document_id}`)
    await page.getByRole('link', { name: /Decline codes/ }).click()
    await page.getByText('Code 51: ask for another card').waitFor()
    await go('?q=another')
    await row(page, 'Decline codes').getByText('ask for another card').waitFor()
  }, 90_000)

  test('a phone shows folders and files, and a viewer changes nothing', async () => {
    const { add, join, open, go, page } = await setUp({ width: 360, height: 740, touch: true, dark: true })
    const research = await add({ type: 'folder', name: 'Research' })
    await add({ name: 'Persona: the hurried buyer', markdown_content: '# Persona', parent_id: research })
    await go()
    await page.getByRole('link', { name: /Research/ }).tap()
    await page.getByRole('link', { name: /Persona/ }).waitFor()
    expect(await findingsOn(page)).toEqual([])
    await page.getByRole('button', { name: 'Grid' }).tap()
    await page.getByRole('link', { name: /Persona/ }).tap()
    await page.getByRole('heading', { name: 'Persona', exact: true }).waitFor()
    expect(await findingsOn(page)).toEqual([])
    const viewer = await open(await join('Vera Viewer', 'viewer'), `/${research}`)
    await viewer.getByRole('link', { name: /Persona/ }).waitFor()
    for (const name of ['Upload', 'New document', 'New folder', /^More about/])
      expect(await viewer.getByRole('button', { name }).count()).toBe(0)
  })
})
