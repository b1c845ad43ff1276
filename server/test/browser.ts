import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const INSTALLED = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
]

/**
 * With --single-process, the browser ends with the first page that closes. The other two would weaken the isolation
 * between pages, which real users have.
 */
const UNWANTED = ['--single-process', '--disable-web-security', '--disable-site-isolation-trials']
/** The package emulates a graphics card, which takes 40% more processor time than drawing without one. */
const EMULATED_GPU = /gpu|angle|swiftshader/

/**
 * An installed Chromium draws the list below its address bar as a page of its own for every window, even without a
 * screen: a second of processor time for each page of a test. Chromium takes the last list of features only, so the first
 * lines repeat those that Playwright switches off.
 */
const UNWANTED_FEATURES = [
  'AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose,HttpsUpgrades,HttpsFirstBalancedModeAutoEnable',
  'LensOverlay,MediaRouter,PaintHolding,ThirdPartyStoragePartitioning,AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints,NetworkTimeServiceQuerying,AimEnabled,PreconnectToSearch',
  'WebUIOmniboxPopup,WebUIOmniboxAimPopup',
].join()

const { CHROMIUM_PATH } = process.env
const installed =
  CHROMIUM_PATH === 'bundled' ? undefined : [CHROMIUM_PATH, ...INSTALLED].find((one) => one && existsSync(one))

// Makes the package also unpack the libraries that a minimal machine lacks.
process.env.AWS_EXECUTION_ENV ??= 'AWS_Lambda_nodejs20.x'
const { default: packaged } = await import('@sparticuz/chromium')

/** The bundled browser exists for this architecture only. */
export const hasBrowser = installed !== undefined || process.arch === 'x64'
if (!hasBrowser)
  console.error('No browser here: what needs one is skipped. Install Chromium, or name one in CHROMIUM_PATH.')

/**
 * Starts the installed Chromium (or CHROMIUM_PATH), or else the bundled one, also for CHROMIUM_PATH=bundled. Throws if
 * neither can run.
 */
export async function openBrowser(extraArgs: string[] = []): Promise<Browser> {
  try {
    if (installed) {
      const args = ['--no-sandbox', `--disable-features=${UNWANTED_FEATURES}`, ...extraArgs]
      return await chromium.launch({ executablePath: installed, args })
    }
    const args = packaged.args.filter((one) => !UNWANTED.includes(one) && !EMULATED_GPU.test(one))
    return await chromium.launch({
      executablePath: await packaged.executablePath(),
      args: [...args, '--disable-gpu', ...extraArgs],
    })
  } catch (err) {
    throw new Error(
      `No browser can be started here, so nothing was tested in one: install Chromium, or name one in CHROMIUM_PATH. ${(err as Error).message}`,
    )
  }
}
