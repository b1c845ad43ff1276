import type { Page, Request } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser } from '../server/test/browser.ts'
import { eventually } from '../server/test/harness.ts'
import { type OpenApp, openApp } from './open-app.ts'

/** More than a browser has connections to one server over HTTP/1.1. */
const TABS = 7
const TABS_WITHOUT_LOCKS = 3

describe.runIf(hasBrowser).each([
  ['on localhost', undefined],
  ['over plain HTTP, where browsers have no locks', 'slipway.test'],
])('many tabs of one browser %s', (_, host) => {
  let app: OpenApp
  beforeAll(async () => {
    app = await openApp(host ? { host } : {})
  })
  afterAll(() => app.close())

  test('all load and follow what others do, also after the tab that holds the stream is closed', async () => {
    const team = await app.team()
    await team.create(['Round the total'])
    const first = await app.page(host ? {} : { as: team.email })
    if (host) await app.signIn(first, team.email)
    const streams = new Set<Request>()
    const context = first.context()
    context.on('request', (request) => {
      if (request.url().includes('/v2/app-api/stream')) streams.add(request)
    })
    context.on('requestfinished', (request) => void streams.delete(request))
    context.on('requestfailed', (request) => void streams.delete(request))
    const tabs: Page[] = [first]
    // A tab in the background has no stream of its own where browsers have no locks.
    const isHidden = () => Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' })
    for (let count = 1; count < (host ? TABS_WITHOUT_LOCKS : TABS); count++) {
      const tab = await context.newPage()
      if (host) await tab.addInitScript(isHidden)
      tabs.push(tab)
    }
    for (const tab of tabs) await tab.goto(`${app.origin}/p/${team.project.id}/work-orders`)
    for (const tab of tabs) await tab.getByRole('link', { name: 'Round the total' }).waitFor()
    await eventually(() => streams.size === 1)

    await team.create(['Refund in part'])
    for (const tab of tabs) await tab.getByRole('link', { name: 'Refund in part' }).waitFor()
    expect(streams.size).toBe(1)

    if (host) return
    await first.close()
    streams.clear()
    await team.create(['Tell the customer'])
    for (const tab of tabs.slice(1)) await tab.getByRole('link', { name: 'Tell the customer' }).waitFor()
  })
})
