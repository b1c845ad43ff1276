import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { eventually } from '../server/test/harness.ts'
import type { OpenApp } from './open-app.ts'

/** A requirement with this text, and a way to open it as somebody of its project. */
export async function openRequirement(app: OpenApp, markdown: string) {
  const made = await app.team()
  const { api } = made.project.admin
  const body = { title: 'Refunds', document_type: 'FEATURE', markdown_content: markdown }
  const { id } = (await api.post('/requirements', body)).body.data
  const content = async () => (await api.get(`/requirements/${id}`)).body.data.markdown_content as string
  const url = `${app.origin}/p/${made.project.id}/requirements/${id}`
  /** Waits for the text, and shows the difference if it does not come. */
  const becomes = async (expected: string, withinMs = 30_000) => {
    await eventually(async () => (await content()) === expected, withinMs).catch(() => undefined)
    expect(await content()).toBe(expected)
  }
  const open = async (
    email: string,
    size: { width?: number; height?: number; touch?: boolean } = { width: 1440, height: 900 },
  ) => {
    const page = await app.page({ ...size, as: email })
    await visit(page, url)
    return page
  }
  return { ...made, api, id, content, becomes, url, open }
}

export async function visit(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await textOf(page).waitFor()
  await page.getByText('Saved').waitFor()
}

export const textOf = (page: Page) => page.getByRole('textbox', { name: 'Text', exact: true })

/** ProseMirror takes over the place of the cursor 50 ms after a click. Keys that are faster than any hand come too early. */
export const settle = (page: Page) =>
  page.evaluate('new Promise((done) => setTimeout(() => requestAnimationFrame(done), 60))')

/** Clicks into a line of the text, and goes to its end. */
export async function goTo(page: Page, line: string): Promise<void> {
  await textOf(page).getByText(line).first().click()
  await settle(page)
  await page.keyboard.press('End')
}

/** Pastes or drops into what has the focus. The script fills `transfer`; it is a text, because it runs in the page. */
export const transfer = (page: Page, kind: 'paste' | 'drop', fill: string) =>
  page.evaluate(`(() => {
    const transfer = new DataTransfer()
    ${fill}
    const { left, bottom } = document.activeElement.getBoundingClientRect()
    const event = ${kind === 'paste'}
      ? new ClipboardEvent('paste', { clipboardData: transfer, bubbles: true, cancelable: true })
      : new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true, clientX: left + 5, clientY: bottom - 5 })
    document.activeElement.dispatchEvent(event)
  })()`)

export const setData = (type: string, value: string) =>
  `transfer.setData(${JSON.stringify(type)}, ${JSON.stringify(value)})`

export const addFile = (name: string, type: string, base64 = '') =>
  `transfer.items.add(new File([Uint8Array.from(atob('${base64}'), (one) => one.charCodeAt(0))], '${name}', { type: '${type}' }))`

/** A picture of one pixel. */
export const DOT = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
