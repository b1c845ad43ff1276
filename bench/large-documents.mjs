import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { HocuspocusProvider, HocuspocusProviderWebsocket } from '@hocuspocus/provider'
import { WebSocket } from 'ws'
import * as Y from 'yjs'
import { startServer, stopAll } from './processes.mjs'
import { API } from './seed.mjs'
import { markdown, randomSource } from './words.mjs'

/**
 * Measures how long single requests on large documents block the server's event loop, during which no other request is
 * answered. Repeats each request and reports the longest block. Goal: 50 ms.
 */

const SIZES = [15_000, 50_000, 200_000, 1_000_000, 1_990_000]
const TIMES = 3
const GOAL_MS = 50

const folder = await mkdtemp(join(os.tmpdir(), 'slipway-bench-'))
await chmod(folder, 0o755)
const file = join(folder, 'delay.json')
process.env.LOOP_DELAY_FILE = file
const random = randomSource(5)

try {
  const server = await startServer(join(folder, 'data'), ['--import', join(import.meta.dirname, 'loop-delay.mjs')])

  /** Returns the longest block of the event loop since the last call, in milliseconds. */
  async function holdUp() {
    await rm(file, { force: true })
    process.kill(server.pid, 'SIGUSR2')
    for (;;) {
      const text = await readFile(file, 'utf8').catch(() => '')
      if (text) return JSON.parse(text).maxMs
      await delay(5)
    }
  }

  async function measure(name, size, run) {
    await run(0)
    let longest = 0
    let took = 0
    for (let time = 1; time <= TIMES; time++) {
      await holdUp()
      const begun = performance.now()
      await run(time)
      took = Math.max(took, performance.now() - begun)
      longest = Math.max(longest, await holdUp())
    }
    const verdict = longest <= GOAL_MS ? 'met' : 'missed'
    console.log(`| ${name} | ${size.toLocaleString('en')} | ${longest.toFixed(0)} | ${took.toFixed(0)} | ${verdict} |`)
  }

  /** Opens a document as an editor does. */
  async function openEditor(id) {
    const websocketProvider = new HocuspocusProviderWebsocket({
      url: `${server.origin.replace('http', 'ws')}/collab`,
      WebSocketPolyfill: WebSocket,
    })
    const shared = new Y.Doc()
    const token = server.headers['x-api-key']
    const provider = new HocuspocusProvider({ websocketProvider, name: `blueprint/${id}`, token, document: shared })
    provider.attach()
    while (!provider.isSynced) await delay(5)
    return {
      type(text) {
        const block = new Y.XmlElement('paragraph')
        block.insert(0, [new Y.XmlText(text)])
        shared.getXmlFragment('default').insert(0, [block])
      },
      close() {
        provider.destroy()
        websocketProvider.destroy()
      },
    }
  }

  /** Waits until the document contains what an editor typed, without reading the whole document. */
  async function untilStored(path, text) {
    for (;;) {
      const { data } = await server.call('GET', `${path}?start_line=1&end_line=1`)
      if (data.markdown_content.includes(text)) return
      await delay(20)
    }
  }

  await holdUp()
  await delay(1_000)
  console.log(`Load average ${os.loadavg()[0].toFixed(1)}; idle for a second: ${(await holdUp()).toFixed(0)} ms\n`)
  console.log(
    '| request | characters | event loop held up, ms | took, ms | goal 50 ms |\n| --- | --- | --- | --- | --- |',
  )
  for (const size of SIZES) {
    const text = () => markdown(random, size).slice(0, size)
    const { data } = await server.call('POST', `${API}/blueprints`, { title: 'Large', markdown_content: text() })
    const path = `${API}/blueprints/${data.id}`
    await measure('PATCH', size, () => server.call('PATCH', path, { markdown_content: text() }))
    await measure('GET', size, () => server.call('GET', path))
    await measure('GET with suggestions=accepted', size, () => server.call('GET', `${path}?suggestions=accepted`))
    await measure('apply_suggestion', size, async (time) => {
      await server.call('PATCH', path, { markdown_content: `Needle ${time}\n\n${text().slice(100)}` })
      await holdUp()
      await server.call('POST', `${path}/apply_suggestion`, { old_text: `Needle ${time}`, new_text: 'Thread' })
    })
    await measure('accept_all', size, () => server.call('POST', `${path}/suggestions/accept_all`))
    await measure('search', size, () => server.call('POST', `${API}/blueprints/search`, { query: 'thread' }))
    await measure('open in an editor', size, async () => (await openEditor(data.id)).close())
    const editor = await openEditor(data.id)
    await measure('type until it is stored', size, async (time) => {
      editor.type(`Typed ${size} ${time}`)
      await untilStored(path, `Typed ${size} ${time}`)
    })
    await measure('PATCH while an editor has it open', size, async (time) => {
      await server.call('PATCH', path, { markdown_content: `Written ${time}\n\n${text().slice(100)}` })
      await delay(1_000)
    })
    editor.close()
    await server.call('PATCH', path, { markdown_content: '' })
  }
} finally {
  await stopAll()
  await rm(folder, { recursive: true, force: true })
}
