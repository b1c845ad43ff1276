import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { markdownOf } from './files.ts'

/** As much of the server as an upload needs: a folder, and files that have their names for themselves. */
interface Server {
  names: Set<string>
  folders: string[]
  limitBytes: number
  /** The keys of the uploads that arrived. */
  keys: string[]
  /** The folders that the uploads named. */
  parents: unknown[]
  /** Runs before a file is taken. */
  before?: ((name: string) => Promise<Response | undefined>) | undefined
}

let server: Server
let uploads: typeof import('./uploads.ts')
let texts: typeof import('./files-in-texts.ts')
let toasts: typeof import('../toasts.ts')

const answer = (status: number, body: unknown) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })
const problem = (status: number, code: string) => answer(status, { status, code, detail: `Refused: ${code}.` })

async function serve(url: string, init: RequestInit): Promise<Response> {
  const { pathname } = new URL(url)
  if (pathname.endsWith('/app-api/session')) return answer(200, { data: { upload_limit_bytes: server.limitBytes } })
  if (init.method === 'GET') {
    const items = server.folders.map((id) => ({ id, name: 'Files', folder_path: '' }))
    return answer(200, { items })
  }
  if (typeof init.body === 'string') {
    server.folders.push(`folder-${server.folders.length + 1}`)
    return answer(201, { data: { id: server.folders.at(-1) } })
  }
  const headers = new Headers(init.headers)
  const form = await new Response(init.body, { headers: { 'content-type': headers.get('content-type')! } }).formData()
  const { name } = form.get('file') as File
  server.keys.push(headers.get('idempotency-key')!)
  const refusal = await server.before?.(name)
  if (init.signal?.aborted) throw init.signal.reason
  if (refusal) return refusal
  const parent = form.get('parent_id')
  server.parents.push(parent)
  if (parent !== null && !server.folders.includes(String(parent))) return problem(404, 'not_found')
  if (server.names.has(name)) return problem(409, 'name_taken')
  server.names.add(name)
  return answer(201, { data: { id: `id of ${name}`, name } })
}

beforeEach(async () => {
  server = { names: new Set(), folders: [], limitBytes: 1000, keys: [], parents: [] }
  vi.stubGlobal('addEventListener', () => undefined)
  vi.stubGlobal('navigator', { onLine: true })
  vi.stubGlobal('location', { origin: 'http://slipway.test' })
  vi.stubGlobal('fetch', serve)
  vi.resetModules()
  uploads = await import('./uploads.ts')
  texts = await import('./files-in-texts.ts')
  toasts = await import('../toasts.ts')
})
afterEach(() => vi.unstubAllGlobals())

const fileOf = (name: string, bytes = 10) => new File(['x'.repeat(bytes)], name, { type: 'text/plain' })
const beginIn = (folder: import('./store-file.ts').Folder, ...files: File[]) => {
  const begun = uploads.createUploads('p', folder)
  begun.add(files)
  return begun
}
const begin = (...files: File[]) => beginIn('Files', ...files)
const settled = (begun: ReturnType<typeof begin>) =>
  vi.waitFor(() => {
    const files = begun.files.get()
    expect(files.filter(({ storedId, fault }) => !storedId && !fault)).toEqual([])
    return files
  })

test('files are stored at once in one folder, which is added only when there is none', async () => {
  const files = await settled(begin(fileOf('a.txt'), fileOf('b.txt')))
  expect(files.map(({ storedId }) => storedId)).toEqual(['id of a.txt', 'id of b.txt'])
  expect(files.map(({ sent }) => sent)).toEqual([1, 1])
  expect(server.folders).toHaveLength(1)
})

test('a name that is taken gets a number before its ending', async () => {
  server.names = new Set(['a.tar', 'a 2.tar'])
  expect(await settled(begin(fileOf('a.tar')))).toMatchObject([{ name: 'a 3.tar', storedId: 'id of a 3.tar' }])
})

test('a file in a folder that was deleted is stored in a new one', async () => {
  await settled(begin(fileOf('a.txt')))
  server.folders = []
  expect(await settled(begin(fileOf('b.txt')))).toMatchObject([{ storedId: 'id of b.txt' }])
})

test('files are stored in a folder by its id, and at the root', async () => {
  server.folders = ['specs']
  await settled(beginIn({ id: 'specs' }, fileOf('a.txt')))
  await settled(beginIn({ id: null }, fileOf('b.txt')))
  expect(server.parents).toEqual(['specs', null])
  expect(server.folders).toEqual(['specs'])
})

test('a file for a folder id that was deleted is not stored elsewhere', async () => {
  const [refused] = await settled(beginIn({ id: 'deleted' }, fileOf('a.txt')))
  expect(refused?.fault).toBe('Refused: not_found.')
  expect(server.folders).toEqual([])
  expect(server.parents).toEqual(['deleted'])
})

test('a file that the server would refuse for its size is not sent', async () => {
  const [refused] = await settled(begin(fileOf('large.bin', 2048)))
  expect(refused?.fault).toBe('“large.bin” has 2 KB, and a file may have at most 1000 B. Choose a smaller one.')
  expect(server.keys).toEqual([])
})

test('a file that was not stored can be retried, with the key of the attempt that may have arrived', async () => {
  server.before = async () => problem(403, 'forbidden')
  const begun = begin(fileOf('a.txt'))
  const [failed] = await settled(begun)
  expect(failed?.fault).toBe('Refused: forbidden.')
  server.before = undefined
  begun.retry(failed!)
  const [stored] = await settled(begun)
  expect(stored?.storedId).toBe('id of a.txt')
  expect(stored?.fault).toBeUndefined()
  expect(new Set(server.keys).size).toBe(1)
})

test('a file that is taken off while it is sent is canceled, and the others go on', async () => {
  let arrive = () => {}
  const isArrived = new Promise<void>((resolve) => {
    arrive = resolve
  })
  let goOn = () => {}
  server.before = (name) =>
    new Promise((resolve) => {
      if (name !== 'a.txt') return resolve(undefined)
      arrive()
      goOn = () => resolve(undefined)
    })
  const begun = begin(fileOf('a.txt'), fileOf('b.txt'))
  await isArrived
  begun.remove(begun.files.get()[0]!)
  goOn()
  expect(await settled(begun)).toMatchObject([{ name: 'b.txt', storedId: 'id of b.txt' }])
  expect([...server.names]).toEqual(['b.txt'])
})

test('a pasted file that was not stored offers Retry, which puts it into the text after all', async () => {
  server.before = async (name) => (name === 'a.png' ? problem(403, 'forbidden') : undefined)
  const put: string[] = []
  const picture = new File(['x'], 'a.png', { type: 'image/png' })
  await texts.storeForText('p', [picture, fileOf('b.txt')], (stored) => put.push(markdownOf(stored)))
  expect(put).toEqual(['[b.txt](/v2/external-api/artifacts/id of b.txt/content)'])
  const [toast] = toasts.toasts.get()
  expect(toast).toMatchObject({ text: '“a.png” was not stored', detail: 'Refused: forbidden.' })
  server.before = undefined
  toast!.action!.run()
  await vi.waitFor(() => expect(put[1]).toBe('![a](/v2/external-api/artifacts/id of a.png/content)'))
})
