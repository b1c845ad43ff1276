import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser } from '../server/test/browser.ts'
import { type OpenApp, openApp } from './open-app.ts'

describe.runIf(hasBrowser)('reading a document in a browser', () => {
  let app: OpenApp
  beforeAll(async () => {
    app = await openApp()
  })
  afterAll(() => app.close())

  async function requirement(markdown: string) {
    const { project, email } = await app.team()
    const { api } = project.admin
    const body = { title: 'Refunds', document_type: 'FEATURE', markdown_content: markdown }
    const { id } = (await api.post('/requirements', body)).body.data
    const open = async () => {
      const page = await app.page({ width: 1440, height: 900, as: email })
      await page.goto(`${app.origin}/p/${project.id}/requirements/${id}`)
      await text(page).waitFor()
      return page
    }
    return { project, api, id, open }
  }
  const text = (page: Page) => page.getByRole('textbox', { name: 'Text', exact: true })

  test('an automation is the author of what it wrote, with whom it acts for beside it', async () => {
    const { project, api, id, open } = await requirement('The mail names the last four digits.\n')
    const { sql } = app.workspace
    await api.post(`/requirements/${id}/comments`, { message: 'Six people asked.' })
    await api.post(`/requirements/${id}/comments`, { message: 'Over a key.' })
    await api.patch(`/requirements/${id}`, { markdown_content: 'The mail names the last digits.\n' })
    const via = {
      automation_id: crypto.randomUUID(),
      automation_name: 'Feedback triage',
      run_id: crypto.randomUUID(),
    }
    await sql`update document_messages set origin = 'automation', via = ${JSON.stringify(via)}::jsonb
      where message = 'Six people asked.' and project_id = ${project.id}`
    await sql`update document_versions set origin_type = 'automation', via = ${JSON.stringify(via)}::jsonb
      where document_id = ${id} and version_number = 2`
    const page = await open()
    const { name } = project.admin
    const card = page.getByRole('region', { name: 'Comment by Feedback triage' })
    await card.getByText(`for ${name}`).waitFor()
    const keyed = page.getByRole('region', { name: `Comment by ${name}` })
    await keyed.getByText('over the API').waitFor()
    expect(await page.getByText(/^Feedback triage edited/).textContent()).toContain(`, for ${name}`)
  })

  test('code keeps its colors when others write', async () => {
    const code = '```js\nconst total = 1\n```\n'
    const { api, id, open } = await requirement(`First.\n\n${code}`)
    const page = await open()
    const word = text(page).locator('.hljs-keyword', { hasText: 'const' })
    await word.waitFor()
    // The session follows what is written elsewhere.
    await page.getByText('Saved').waitFor()
    await api.patch(`/requirements/${id}`, { markdown_content: `First, and more.\n\n${code}` })
    await text(page).getByText('First, and more.').waitFor()
    expect(await word.count()).toBe(1)
  })

  test('the outline of a long document draws what is seen, follows the reader and leads everywhere', async () => {
    const sections = Array.from({ length: 400 }, (_, at) => `## Part ${at}\n\n${'Some words. '.repeat(30)}\n`)
    const { open } = await requirement(sections.join('\n'))
    const page = await open()
    const outline = page.getByRole('navigation', { name: 'On this page' })
    await outline.getByRole('button', { name: 'Part 3', exact: true }).waitFor()
    expect(await outline.getByRole('button').count()).toBeLessThan(80)
    await outline
      .locator('div')
      .first()
      .evaluate((list) => list.scrollTo(0, list.scrollHeight))
    await outline.getByRole('button', { name: 'Part 399' }).click()
    await text(page).getByRole('heading', { name: 'Part 399' }).waitFor()
    await outline.locator('[data-current]', { hasText: /^Part 39\d$/ }).waitFor()
  })
})
