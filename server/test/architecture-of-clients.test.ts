import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { cyclesOf, readSources, type Source } from './import-graph.ts'

const root = path.resolve(import.meta.dirname, '../..')
const [web, sdk, cli] = await Promise.all(
  ['web', 'sdk', 'cli'].map((name) => readSources(path.join(root, name, 'src'))),
)

/** What the first screen has of each module: its addresses, and what they need. */
const EARLY = {
  automations: ['routes.ts', 'search.ts'],
  conversations: ['routes.ts', 'search.ts'],
  documents: ['routes.ts', 'search/text-search.ts'],
  feedback: ['routes.ts', 'search.ts', 'themes/search.ts'],
  'knowledge-base': ['routes.ts', 'search.ts', 'artifact.ts'],
  settings: ['routes.ts'],
  'sign-in': ['routes.ts'],
  'work-orders': ['routes.ts', 'search.ts', 'work-order.ts'],
}
const MODULES = Object.keys(EARLY)
/** Imports of the web point only to the right. Rooms in one entry may import each other, unless they are modules. */
const ORDER = [
  ['main'],
  ['parts'],
  ['app'],
  MODULES,
  ['agents', 'connections', 'comments', 'activity', 'artifacts', 'editor', 'history', 'keys'],
  ['people', 'ui'],
  ['lib'],
]
const rankOf = (room: string) => ORDER.findIndex((rooms) => rooms.includes(room))
/** The only list of modules. The router adds the pages before a project is opened. */
const LIST = 'app/modules.ts'
const ENTRANCES = new Map([
  [LIST, ['index.ts', 'routes.ts']],
  ['app/router.tsx', ['routes.ts']],
])
/** Words of the modules, which the frame does not know. */
const MODULE_WORD = /\b(work.?orders?|blueprints?|requirements?|feedback|conversations?|documents)\b/i

type IsWrong = (from: Source, to: Source['imports'][number]) => boolean
const wrongImports = (sources: Source[], isWrong: IsWrong) =>
  sources.flatMap((from) => from.imports.filter((to) => isWrong(from, to)).map((to) => `${from.file} → ${to.file}`))

/** The files of the web that are loaded with one. */
function loadedWith(first: string): Set<string> {
  const byFile = new Map(web!.map((one) => [one.file, one]))
  const loaded = new Set<string>()
  const load = (file: string) => {
    if (loaded.has(file)) return
    loaded.add(file)
    for (const one of byFile.get(file)?.imports ?? []) if (one.isLoaded) load(one.file)
  }
  load(first)
  return loaded
}

describe('imports of the web', () => {
  test('know every room, and no room that does not exist', () => {
    const rooms = new Set(web!.map(({ room }) => room))
    expect([...rooms].filter((room) => rankOf(room) === -1)).toEqual([])
    expect(ORDER.flat().filter((room) => !rooms.has(room))).toEqual([])
  })

  test('point only to the right', () => {
    expect(wrongImports(web!, (from, to) => rankOf(to.room) < rankOf(from.room))).toEqual([])
  })

  test('never lead from one module to another', () => {
    const isModule = (room: string) => MODULES.includes(room)
    expect(wrongImports(web!, ({ room }, to) => isModule(room) && isModule(to.room) && to.room !== room)).toEqual([])
  })

  test('enter a module only from the list, by its index and its addresses', () => {
    const isAllowed = (from: string, to: string) => ENTRANCES.get(from)?.includes(path.basename(to))
    const isWrong: IsWrong = ({ file, room }, to) =>
      room === 'app' && MODULES.includes(to.room) && !isAllowed(file, to.file)
    expect(wrongImports(web!, isWrong)).toEqual([])
  })

  test('load of a module no more than its addresses before it is opened', () => {
    const loaded = loadedWith('main.tsx')
    const early = MODULES.flatMap((room) => [...loaded].filter((file) => file.startsWith(`${room}/`)))
    expect(early.sort()).toEqual(
      Object.entries(EARLY)
        .flatMap(([room, files]) => files.map((file) => `${room}/${file}`))
        .sort(),
    )
  })

  test('lead from the page of parts to every shared part', () => {
    const loaded = loadedWith('parts/main.tsx')
    // Both are loaded when they are opened: the first by every menu, the second by a conflict only.
    const later = ['ui/Floating.tsx', 'ui/outbox/CompareDialog.tsx']
    const parts = web!.map(({ file }) => file).filter((file) => file.startsWith('ui/') && file.endsWith('.tsx'))
    expect(parts.filter((file) => !loaded.has(file))).toEqual(later)
    expect([...loadedWith('main.tsx')].filter((file) => file.startsWith('parts/'))).toEqual([])
  })

  test('reach the server only through the SDK, and of its own code only the engines', () => {
    const ours = web!.flatMap(({ file, packages }) =>
      packages.filter((one) => one.startsWith('@slipway/')).map((one) => `${file} ${one}`),
    )
    expect(ours.filter((one) => !/ @slipway\/(sdk(\/resources)?|server\/markdown(\/reading)?)$/.test(one))).toEqual([])
    expect(wrongImports(web!, (_, to) => to.file.startsWith('..'))).toEqual([])
  })
})

test('every kind of write that waits is loaded with a module, which the list knows by its name', async () => {
  const text = web!.find(({ file }) => file === LIST)!.text
  const prefixes = [...text.matchAll(/writes: \[([^\]]*)\]/g)].flatMap(([, names]) => names!.match(/[\w-]+/g) ?? [])
  expect(prefixes).toContain('work-orders')
  expect(new Set(prefixes).size).toBe(prefixes.length)
  const loaded = new Set(MODULES.flatMap((room) => [...loadedWith(`${room}/writes.ts`)]))
  const waiting = web!.flatMap(({ file, room, text }) =>
    room === 'lib'
      ? []
      : [...text.matchAll(/name: '([\w-]+)\.[\w-]+',\n {2}waits: true/g)].map(([, prefix]) => ({ file, prefix })),
  )
  expect(waiting.length).toBeGreaterThan(20)
  for (const { file, prefix } of waiting) {
    expect([...loaded], file).toContain(file)
    expect(prefixes, file).toContain(prefix)
  }
})

/** Before a session there is nothing to keep, where a person is soon changes, and a source merges what is typed itself. */
const SEND_THEMSELVES = [
  'documents/history/edits.ts',
  'documents/page/source-text.ts',
  // Its files are stored while the report is written.
  'feedback/inbox/report-files.ts',
  'knowledge-base/preview/source-text.ts',
  // Files wait in the tray.
  'knowledge-base/uploads/folders-of-drop.ts',
  'knowledge-base/uploads/uploads.ts',
  'knowledge-base/versions.ts',
  'lib/presence.ts',
  'lib/session.ts',
  'lib/uploads/store-file.ts',
  'sign-in/ConnectApp.tsx',
  'sign-in/Invite.tsx',
  // Called by writes.
  'work-orders/api.ts',
]

test('whatever changes something is sent by a write of the outbox', async () => {
  const reads = /^(?:get|list|count|read|search|preview|everywhere|contentUrl|exportUrl|download|openInvitation)/
  const calls = /\b(?:api\s*\.\w+\((?:call|callOf\([^()]*\))|documentsOf\([^()]*)\)\s*\.(\w+)\(/g
  const sending = web!.filter(({ text }) => [...text.matchAll(calls)].some(([, name]) => !reads.test(name!)))
  expect(sending.length).toBeGreaterThan(10)
  expect(
    sending
      .filter(({ text }) => !/= defineWrite[<(]/.test(text))
      .map(({ file }) => file)
      .sort(),
  ).toEqual(SEND_THEMSELVES)
})

test('the frame of the web names no module', () => {
  const frame = web!.filter(({ file, room }) => room === 'app' && file !== LIST)
  expect(frame.length).toBeGreaterThan(10)
  const named = frame.filter(({ text }) => MODULE_WORD.test(text))
  expect(named.map(({ file, text }) => `${file}: ${text.match(MODULE_WORD)![0]}`)).toEqual([])
})

describe.each([
  ['web', web!],
  ['sdk', sdk!],
  ['cli', cli!],
])('%s', (_, sources) => {
  test('has no cycles, not even of types', () => {
    expect(sources.length).toBeGreaterThan(20)
    expect(cyclesOf(sources)).toEqual([])
  })

  test('has no folder called data', () => {
    expect(sources.filter(({ file }) => file.split(path.sep).includes('data')).map(({ file }) => file)).toEqual([])
  })
})

test('the SDK imports nothing of ours, and the command line only the SDK', () => {
  const ours = (sources: Source[]) =>
    [...new Set(sources.flatMap(({ packages }) => packages))].filter((one) => one.startsWith('@slipway/'))
  expect(ours(sdk!)).toEqual([])
  expect(ours(cli!)).toEqual(['@slipway/sdk'])
  expect(wrongImports([...sdk!, ...cli!], (_, to) => to.file.startsWith('..'))).toEqual([])
})
