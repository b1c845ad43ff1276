/*
 * Opens the app when the server cannot be reached, so that what waits to be sent can be seen and nothing seems lost.
 *
 * It keeps the page and the hashed files that it has loaded, and nothing else: no answer of an API passes through here.
 * The page always comes from the server if there is one, so a new deployment is used at once. What is kept belongs to one
 * build; it is replaced as a whole when a page of another build has loaded all that it needs (see `lib/offline-shell.ts`).
 */
const NAME = 'slipway-shell:'
/** Paths that are not the app's. Keep it like `RESERVED` in server/src/faces/web/index.ts. */
const RESERVED = /^\/(v2|mcp|oauth|\.well-known|docs|collab|livez|readyz|widget\.js|assets)(\/|$)/
/** What a proxy answers while the server is away. */
const AWAY = [502, 503, 504]

addEventListener('install', () => skipWaiting())
addEventListener('activate', (event) => event.waitUntil(clients.claim()))
addEventListener('message', (event) => event.waitUntil(keep(event.data)))
addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== location.origin) return
  // Not a diagram's frame, which is a page of its own.
  if (request.destination === 'document' && !RESERVED.test(pathname)) event.respondWith(openPage(request))
  else if (pathname.startsWith('/assets/')) event.respondWith(openFile(request))
})

async function openPage(request) {
  try {
    const answer = await fetch(request)
    return AWAY.includes(answer.status) ? ((await find('/')) ?? answer) : answer
  } catch (err) {
    const kept = await find('/')
    if (kept) return kept
    throw err
  }
}

const openFile = async (request) => (await find(request).catch(() => undefined)) ?? fetch(request)

/** The caches of this app only: another one may share the origin. */
async function find(request) {
  for (const name of await ownCaches()) {
    const found = await (await caches.open(name)).match(request, { ignoreVary: true })
    if (found) return found
  }
  return undefined
}

const ownCaches = async () => (await caches.keys()).filter((name) => name.startsWith(NAME))

/** Keeps a build: its page and the files that were loaded so far. `entry` is its first script, which names it. */
async function keep({ entry, files }) {
  const cache = await caches.open(NAME + entry)
  const known = new Set((await cache.keys()).map(({ url }) => new URL(url).pathname))
  try {
    await cache.addAll(files.filter((file) => !known.has(file)))
    if (!known.has('/')) {
      const page = await fetch('/', { cache: 'no-cache' })
      // The server may have got a newer build meanwhile. The next page of that one is kept.
      if (!page.ok || !(await page.clone().text()).includes(entry)) throw new Error('Another build')
      await cache.put('/', page)
    }
  } catch {
    if (!(await cache.match('/'))) await caches.delete(NAME + entry)
    return
  }
  for (const name of await ownCaches()) if (name !== NAME + entry) await caches.delete(name)
}
