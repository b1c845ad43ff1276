import path from 'node:path'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
// @ts-expect-error plain JavaScript, for every runtime
import { EXPECTED } from '../sdk/smoke.mjs'
import { hasBrowser } from '../server/test/browser.ts'
import { type OpenApp, openApp } from './open-app.ts'

describe.runIf(hasBrowser)('the client', () => {
  let app: OpenApp
  beforeAll(async () => {
    app = await openApp()
  })
  afterAll(() => app.close())

  test('works in a browser, where it tells the progress of an upload', async () => {
    const { project } = await app.team()
    const { outputFiles } = await build({
      stdin: {
        contents: `import * as sdk from './src/index.ts'
          import { smoke } from './smoke.mjs'
          globalThis.runSmoke = (options) => smoke(sdk, options)`,
        resolveDir: path.resolve(import.meta.dirname, '../sdk'),
      },
      bundle: true,
      format: 'iife',
      write: false,
    })
    const page = await app.page()
    await page.evaluate(outputFiles[0]!.text)
    const options = { baseUrl: app.origin, apiKey: project.admin.key }
    const result = await page.evaluate(
      (given) => (globalThis as unknown as { runSmoke(options: object): Promise<object> }).runSmoke(given),
      options,
    )
    expect(result).toEqual(EXPECTED)
  })
})
