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
    // Another tab may still be catching up.
    await eventually(() => streams.size === 1)

    if (host) return
    await first.close()
    streams.clear()
    await team.create(['Tell the customer'])
    for (const tab of tabs.slice(1)) await tab.getByRole('link', { name: 'Tell the customer' }).waitFor()
  })
})

describe.runIf(hasBrowser)('a change between the first read of a screen and the first word of the stream', () => {
  let app: OpenApp
  beforeAll(async () => {
    app = await openApp()
  })
  afterAll(() => app.close())

  test('is shown in the tab that holds the stream', async () => {
    const { email, project, create } = await app.team()
    await create(['Round the total'])
    const page = await app.page({ as: email })
    let open = () => {}
    const isOpen = new Promise<void>((resolve) => {
      open = resolve
    })
    await page.route('**/v2/app-api/stream*', async (route) => {
      await isOpen
      await route.continue()
    })
    await page.goto(`${app.origin}/p/${project.id}/work-orders`)
    await page.getByRole('link', { name: 'Round the total' }).waitFor()
    await create(['Refund in part'])
    open()
    await page.getByRole('link', { name: 'Refund in part' }).waitFor()
  })

  test('is shown in a tab that hears of it from another', async () => {
    const { email, project, create } = await app.team()
    await create(['Round the total'])
    const first = await app.page({ as: email })
    const address = `${app.origin}/p/${project.id}/work-orders`
    await first.goto(address)
    await first.getByRole('link', { name: 'Round the total' }).waitFor()
    const second = await first.context().newPage()
    // In the background, it neither asks for the stream nor hears anything yet.
    await second.addInitScript(() => {
      const state = Object.assign(window, { isAsleep: true })
      Object.defineProperty(document, 'visibilityState', { get: () => (state.isAsleep ? 'hidden' : 'visible') })
      const { set } = Object.getOwnPropertyDescriptor(BroadcastChannel.prototype, 'onmessage')!
      Object.defineProperty(BroadcastChannel.prototype, 'onmessage', {
        set(hear: (event: MessageEvent) => void) {
          set!.call(this, (event: MessageEvent) => state.isAsleep || hear(event))
        },
      })
    })
    await second.goto(address)
    await second.getByRole('link', { name: 'Round the total' }).waitFor()
    await create(['Refund in part'])
    await first.getByRole('link', { name: 'Refund in part' }).waitFor()
    expect(await second.getByRole('link', { name: 'Refund in part' }).count()).toBe(0)
    await second.evaluate(() => {
      Object.assign(window, { isAsleep: false })
      document.dispatchEvent(new Event('visibilitychange'))
    })
    await second.getByRole('link', { name: 'Refund in part' }).waitFor()
  })
})
