import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const INSTALLED = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
]

/** In a single process, the whole browser ends with the first page that is closed. Pages are kept apart, as people's are. */
const UNWANTED = ['--single-process', '--disable-web-security', '--disable-site-isolation-trials']

const installed = [process.env.CHROMIUM_PATH, ...INSTALLED].find((one) => one && existsSync(one))

/** The one that comes with the packages is made for this architecture alone. */
export const hasBrowser = installed !== undefined || process.arch === 'x64'
if (!hasBrowser)
  console.error('No browser here: what needs one is skipped. Install Chromium, or name one in CHROMIUM_PATH.')

/** The machine's Chromium (or CHROMIUM_PATH), else the one that comes with the packages. Throws where none can run. */
export async function openBrowser(): Promise<Browser> {
  try {
    if (installed) return await chromium.launch({ executablePath: installed, args: ['--no-sandbox'] })
    // This makes the package also unpack the libraries that a bare machine lacks.
    process.env.AWS_EXECUTION_ENV ??= 'AWS_Lambda_nodejs20.x'
    const { default: packaged } = await import('@sparticuz/chromium')
    const args = packaged.args.filter((one) => !UNWANTED.includes(one))
    return await chromium.launch({ executablePath: await packaged.executablePath(), args })
  } catch (err) {
    throw new Error(
      `No browser can be started here, so nothing was tested in one: install Chromium, or name one in CHROMIUM_PATH. ${(err as Error).message}`,
    )
  }
}
