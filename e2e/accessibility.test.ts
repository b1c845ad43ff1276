import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser } from '../server/test/browser.ts'
import { findingsOn } from './accessibility-findings.ts'
import { type OpenApp, openApp } from './open-app.ts'

/** Brings each screen up, one after the other, on the same page. */
const SCREENS: Record<string, (page: Page) => Promise<unknown>> = {
  'the table': (page) => page.getByRole('link', { name: 'Round the total once' }).waitFor(),
  'the palette': async (page) => {
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('round')
    await page.getByRole('option', { name: /Round the total/ }).waitFor()
  },
  'the create dialog': async (page) => {
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('c')
    await page.getByRole('dialog', { name: 'New work order' }).getByLabel('Title').waitFor()
  },
  'the shortcut sheet': async (page) => {
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('?')
    await page.getByRole('dialog').waitFor()
  },
  'the board': async (page) => {
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.goto(`${page.url().split('?')[0]}?view=board`)
    await page.getByRole('button', { name: /^WO-1/ }).waitFor()
  },
  'the phases': async (page) => {
    await page.goto(`${page.url().split('?')[0]}?view=phases`)
    await page.getByText('Round the total once').first().waitFor()
  },
  'a work order': async (page) => {
    await page.goto(`${page.url().split('?')[0]}/1`)
    await page.getByRole('heading', { name: 'Activity' }).waitFor()
  },
  'what an agent gets': async (page) => {
    await page.getByRole('button', { name: /Copy for agent/ }).click()
    const copy = page.getByRole('button', { name: /Copy bundle/ })
    await copy.waitFor()
    const box = (await copy.boundingBox())!
    expect(box.y + box.height, 'all of it is on the screen').toBeLessThanOrEqual(page.viewportSize()!.height)
  },
  'a requirement': async (page) => {
    await page.goto(`${projectOf(page)}/requirements/search?q=refund`)
    await page.getByRole('button', { name: 'Refunds Features', exact: true }).click()
    await page.getByText('Saved').waitFor()
    await page.getByRole('textbox', { name: 'Text', exact: true }).waitFor()
  },
  'its connections': async (page) => {
    const button = page.getByRole('button', { name: /^Connected: \d/ })
    if (await button.isVisible()) await button.click()
    await page
      .getByRole('button', { name: /^Suspect/ })
      .first()
      .click()
    await page.getByRole('button', { name: 'Confirm', exact: true }).waitFor()
  },
  'its history': async (page) => {
    await page.goto(`${page.url().split('?')[0]}/history`)
    await page.getByRole('heading', { name: /^Versions/ }).waitFor()
    await page.getByRole('button', { name: 'Markdown' }).click()
    await page.locator('[data-difference]').first().waitFor()
    await page.getByRole('button', { name: 'Name version 1', exact: true }).focus()
  },
  'the search of texts': async (page) => {
    await page.goto(`${projectOf(page)}/requirements/search?q=refund`)
    await page.getByRole('button', { name: /A refund goes/ }).waitFor()
  },
  'a search that is wrong': async (page) => {
    await page.getByLabel(/^Regular expression/).fill('refund(')
    await page.getByRole('alert').waitFor()
  },
  'the tree of blueprints': async (page) => {
    await page.goto(`${projectOf(page)}/blueprints`)
    await page.getByRole('treeitem', { name: 'Refunds' }).waitFor()
  },
}

/** In the dark, only the colours differ. */
async function findingsInTheDark(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.locator('html[data-mantine-color-scheme=dark]').waitFor()
  const findings = await findingsOn(page, ['color-contrast'])
  await page.emulateMedia({ colorScheme: 'light' })
  return findings
}

const projectOf = (page: Page) => /.*\/p\/[^/]+/.exec(page.url())![0]

describe.runIf(hasBrowser)('axe finds nothing serious', () => {
  let app: OpenApp
  beforeAll(async () => {
    app = await openApp()
  })
  afterAll(() => app.close())

  test.each([
    ['on a desktop, light and dark', { width: 1440, height: 900 }, findingsInTheDark],
    ['on a phone', { width: 360, height: 740 }, async () => []],
  ])('%s', async (_, options, findingsElsewhere: (page: Page) => Promise<string[]>) => {
    const { email, create, project } = await app.team()
    await create(['Round the total once', 'Offer Apple Pay'], { priority: 'high', markdown_content: '- [ ] Try it' })
    const { api } = project.admin
    const feature = { title: 'Refunds', document_type: 'FEATURE', markdown_content: 'Nothing yet.\n' }
    const { id } = (await api.post('/requirements', feature)).body.data
    await create(['Build refunds'], { connectedContext: [{ resourceType: 'requirements_document', resourceId: id }] })
    await api.patch(`/requirements/${id}`, { markdown_content: '## Money\n\nA refund goes back to the card.\n' })
    await api.post(`/requirements/${id}/apply_suggestion`, { old_text: 'the card', new_text: 'the account' })
    const page = await app.page(options)
    await page.getByRole('heading', { name: 'Sign in to Slipway' }).waitFor()
    expect([...(await findingsOn(page)), ...(await findingsElsewhere(page))]).toEqual([])
    await app.signIn(page, email)
    for (const [name, show] of Object.entries(SCREENS)) {
      await show(page)
      const findings = [...(await findingsOn(page)), ...(await findingsElsewhere(page))]
      expect.soft({ name, findings }).toEqual({ name, findings: [] })
    }
  })
})
