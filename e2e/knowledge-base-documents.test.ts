import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser } from '../server/test/browser.ts'
import { eventually } from '../server/test/harness.ts'
import { findingsOn } from './accessibility-findings.ts'
import { type OpenApp, openApp } from './open-app.ts'

describe.runIf(hasBrowser)('a document of the knowledge base', () => {
  let app: OpenApp
  beforeAll(async () => {
    app = await openApp()
  })
  afterAll(() => app.close())

  async function setUp(markdown_content: string, options: Parameters<OpenApp['page']>[0] = {}) {
    const made = await app.team()
    const { api } = made.project.admin
    const id: string = (await api.post('/artifacts', { name: 'Decline codes', markdown_content })).body.data.id
    const open = async (as: string, shown = text) => {
      const page = await app.page({ ...options, as })
      await page.goto(`${app.origin}/p/${made.project.id}/knowledge-base/${id}`)
      await shown(page).waitFor()
      return page
    }
    const contentOf = async () => (await api.get(`/artifacts/${id}`)).body.data.markdown_content as string
    return { ...made, api, id, open, contentOf }
  }
  const text = (page: Page) => page.getByRole('textbox', { name: 'Text', exact: true })
  const source = (page: Page) => page.getByRole('textbox', { name: 'Markdown' })

  test('is written by two people and the API at once, each sees the others, and nothing is lost', async () => {
    const { email, join, open, api, id, contentOf } = await setUp('Code 05\n\nCode 51\n')
    const [ada, grace] = [await open(email), await open(await join('Grace Hopper'))]
    await text(ada).getByText('Code 05').click()
    await ada.keyboard.press('End')
    await ada.keyboard.type(': do not honor')
    await text(grace).getByText('Code 05: do not honor').waitFor()
    await grace.locator('.cursor-name', { hasText: 'Ada Lovelace' }).waitFor({ state: 'attached' })
    await text(grace).getByText('Code 51').click()
    await grace.keyboard.press('End')
    await grace.keyboard.type(': too little money')
    await eventually(async () => (await contentOf()) === 'Code 05: do not honor\n\nCode 51: too little money\n')
    await api.patch(`/artifacts/${id}`, { markdown_content: `# Codes\n\n${await contentOf()}` })
    await text(ada).getByRole('heading', { name: 'Codes' }).waitFor()
    await ada.keyboard.type('.')
    await text(grace).getByText('do not honor.').waitFor()
    await eventually(
      async () => (await contentOf()) === '# Codes\n\nCode 05: do not honor.\n\nCode 51: too little money\n',
    )
    expect(await findingsOn(ada)).toEqual([])

    await ada.getByRole('button', { name: 'Markdown' }).click()
    await source(ada).fill((await source(ada).inputValue()).replace('# Codes', '# Decline codes'))
    await text(grace).getByRole('heading', { name: 'Decline codes' }).waitFor()
    expect(await findingsOn(ada)).toEqual([])
  })

  test('has a history: who typed what is listed, compared and restored while somebody else types', async () => {
    const { email, join, open, contentOf, api, id } = await setUp('Code 05\n\nCode 51\n')
    await api.patch(`/artifacts/${id}`, { markdown_content: 'Code 05: do not honor\n\nCode 51\n' })
    const [ada, grace] = [await open(email), await open(await join('Grace Hopper'))]
    await ada.getByRole('button', { name: 'History' }).click()
    const versions = ada.getByRole('complementary', { name: 'Versions' })
    await ada.getByRole('article').locator('ins', { hasText: 'do not honor' }).waitFor()
    await text(grace).getByText('Code 51').click()
    await grace.keyboard.press('End')
    await grace.keyboard.type(': too little money')
    await versions.getByText('Grace Hopper').waitFor()
    await eventually(async () => (await contentOf()).endsWith('money\n'))
    expect(await findingsOn(ada)).toEqual([])
    await versions.getByRole('button', { name: 'Restore version 1' }).click()
    await grace.keyboard.type(' today')
    await versions.getByText('Ada Lovelace restored version 1').waitFor()
    await eventually(async () => /^Code 05\n\nCode 51.* today\n$/.test(await contentOf()))
    // What she had typed before is a version that can be restored too.
    await ada.getByText('Version 1 restored').waitFor()
    await versions.getByRole('button', { name: 'Restore version 3' }).click()
    await eventually(async () => (await contentOf()).startsWith('Code 05: do not honor\n\nCode 51: too little money'))
  })

  test('that somebody deletes keeps what was typed on the page, and goes on when it is restored', async () => {
    const { email, join, open, contentOf, project, id } = await setUp('Code 05\n')
    const ada = await open(email)
    const grace = await open(await join('Grace Hopper'))
    await ada.context().setOffline(true)
    await text(ada).getByText('Code 05').click()
    await ada.keyboard.press('End')
    await ada.keyboard.type(' typed offline')
    await grace.getByRole('button', { name: 'More', exact: true }).click()
    await grace.getByRole('menuitem', { name: 'Delete', exact: true }).click()
    await grace.getByText('moved to the trash').waitFor()
    await ada.context().setOffline(false)
    const notice = ada.getByRole('alert').filter({ hasText: 'deleted' })
    await notice.getByRole('button', { name: 'Copy as markdown' }).waitFor()
    await text(ada).getByText('Code 05 typed offline').waitFor()
    expect(await findingsOn(ada)).toEqual([])
    await notice.getByRole('button', { name: 'Restore' }).click()
    await notice.waitFor({ state: 'detached' })
    await eventually(async () => (await contentOf()) === 'Code 05 typed offline\n')
    await grace.goto(`${app.origin}/p/${project.id}/knowledge-base/${id}`)
    await text(grace).getByText('Code 05 typed offline').waitFor()
  })

  test('with a paragraph that the editor cannot hold says so, and is written as markdown; so is a requirement', async () => {
    const long = `${'word '.repeat(24_000)}\n\nEnd\n`
    const { email, open, contentOf, api, project } = await setUp(long)
    const page = await open(email, source)
    await page.getByRole('alert').getByText('too long for the editor').waitFor()
    await source(page).press('Control+End')
    await page.keyboard.type('typed')
    await page.getByText('Saved').waitFor()
    await eventually(async () => (await contentOf()).endsWith('\n\nEnd\ntyped'))
    expect(await text(page).count()).toBe(0)
    expect(await findingsOn(page)).toEqual([])
    const body = { title: 'Refunds', document_type: 'FEATURE', markdown_content: long }
    const requirement = `/requirements/${(await api.post('/requirements', body)).body.data.id}`
    await page.goto(`${app.origin}/p/${project.id}${requirement}`)
    await page.getByRole('alert').getByText('too long for the editor').waitFor()
    await source(page).press('Control+End')
    await page.keyboard.type('typed')
    await eventually(async () => (await api.get(requirement)).body.data.markdown_content.endsWith('\n\nEnd\ntyped'))
    expect(await text(page).count()).toBe(0)
    expect(await findingsOn(page)).toEqual([])
  })

  test('is read live by a viewer on a phone, who cannot type', async () => {
    const options = { width: 360, height: 740, touch: true, dark: true }
    const { join, open, api, id } = await setUp('Code 05\n', options)
    const vera = await open(await join('Vera Viewer', 'viewer'))
    expect(await text(vera).getAttribute('contenteditable')).toBe('false')
    await vera.getByText('Read only').waitFor({ state: 'attached' })
    await api.patch(`/artifacts/${id}`, { markdown_content: 'Code 05\n\nCode 51\n' })
    await text(vera).getByText('Code 51').waitFor()
    expect(await findingsOn(vera)).toEqual([])
  })
})
