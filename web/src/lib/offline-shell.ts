interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(address: string): string },
  ): {
    createScriptURL(address: string): unknown
  }
}
/** Not in the types of the browser yet. */
const { trustedTypes } = window as { trustedTypes?: TrustedTypes }

const AFTER_MS = 2_000
/** The first script of this build. */
const ENTRY = new URL(import.meta.url).pathname

/**
 * Lets the browser open the app without the server (`public/sw.js`), and tells it which files this page needs: all that it
 * has loaded, also those that follow later.
 */
export async function keepShell(): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  try {
    const address = '/sw.js'
    // The policy of the page lets a script's address come from here only.
    const policy = trustedTypes?.createPolicy('slipway-shell', { createScriptURL: () => address })
    await navigator.serviceWorker.register((policy?.createScriptURL(address) ?? address) as string)
    const { active } = await navigator.serviceWorker.ready
    const files = new Set<string>()
    let timer: ReturnType<typeof setTimeout> | undefined
    const tell = () => active?.postMessage({ entry: ENTRY, files: [...files] })
    new PerformanceObserver((list) => {
      for (const { name } of list.getEntries()) {
        const { origin, pathname } = new URL(name)
        if (origin === location.origin && pathname.startsWith('/assets/')) files.add(pathname)
      }
      clearTimeout(timer)
      timer = setTimeout(tell, AFTER_MS)
    }).observe({ type: 'resource', buffered: true })
  } catch {
    // A browser that forbids it needs the server to open the app.
  }
}
