import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runTransfers } from '../server/src/product/transfers/transfer.factory.ts'
import { type OpenApp, openApp } from './open-app.ts'

let app: OpenApp
beforeAll(async () => {
  app = await openApp()
})
afterAll(() => app.close())

const CSV = `Summary,Issue key,Status,Priority,Assignee,Custom
Round the total,SHOP-2,In Progress,Highest,Nobody Here,x
Totals,SHOP-1,Done,Low,,
`

test('an admin exports a project and imports it into a new one', async () => {
  const { project, email, create } = await app.team('Ada Lovelace', 'admin')
  await create(['Round the total once'])
  const page = await app.page()
  await app.signIn(page, email)
  await page.goto(`${app.origin}/p/${project.id}/settings/transfers`)
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  await page.getByText('Waiting to begin').waitFor()
  await runTransfers(app.workspace, project.id)
  const downloading = page.waitForEvent('download')
  await page.getByRole('link', { name: /^Download/ }).click()
  const archive = await readFile(await (await downloading).path())
  expect(archive.subarray(0, 2).toString()).toBe('PK')

  const copy = await app.team('Grace Hopper', 'admin')
  const other = await app.page()
  await app.signIn(other, copy.email)
  await other.goto(`${app.origin}/p/${copy.project.id}/settings/transfers`)
  const file = { name: 'project.zip', mimeType: 'application/zip', buffer: archive }
  await other.getByLabel('Import a project: file').setInputFiles(file)
  await other.getByText('Waiting to begin').waitFor()
  await runTransfers(app.workspace, copy.project.id)
  await other.getByText('6 documents, 1 work order').waitFor()
  await other.goto(`${app.origin}/p/${copy.project.id}/work-orders`)
  await other.getByText('Round the total once').first().waitFor()
  // There is work in it now.
  await other.goto(`${app.origin}/p/${copy.project.id}/settings/transfers`)
  await other.getByLabel('Import a project: file').setInputFiles(file)
  await other.getByRole('alert').getByText('somebody has already worked in this one').waitFor()
})

test('an editor sees what an import of work orders will do, and does it', async () => {
  const { project, email } = await app.team()
  const page = await app.page()
  await app.signIn(page, email)
  await page.goto(`${app.origin}/p/${project.id}/settings/transfers`)
  expect(await page.getByText('Import a project').count()).toBe(0)
  const file = { name: 'issues.csv', mimeType: 'text/csv', buffer: Buffer.from(CSV) }
  await page.getByLabel('Import work orders: file').setInputFiles(file)
  const dialog = page.getByRole('dialog', { name: 'Import work orders' })
  await dialog.getByText('an export of Jira').waitFor()
  await dialog.getByText('Left out: Custom.').waitFor()
  await dialog.getByText('"Nobody Here" is no member').waitFor()
  await dialog.getByRole('button', { name: 'Import 2 work orders' }).click()
  await page.getByText('Waiting to begin').waitFor()
  await runTransfers(app.workspace, project.id)
  await page.getByText('2 created').waitFor()
})
