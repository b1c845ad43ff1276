import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'

const src = path.resolve(import.meta.dirname, '../src')

/** Imports go only rightwards in this list. What stands in one entry is one room. */
const ORDER = [
  ['start'],
  ['main', 'admin', 'write-openapi'],
  ['bootstrap', 'open-database', 'app'],
  ['external-api', 'app-api', 'reporting-api'],
  ['mcp'],
  ['automations'],
  ['conversations'],
  ['integrations'],
  ['feedback'],
  ['work-orders'],
  ['blueprints'],
  ['requirements'],
  ['documents'],
  ['artifacts'],
  ['links'],
  ['projects'],
  ['accounts'],
  ['kernel'],
  ['engines'],
]
const rankOf = (room: string) => ORDER.findIndex((rooms) => rooms.includes(room))
const LINES = 300
const BANNED = /(^|[-.])(utils?|helpers?|common|misc|manager|service|data|info)([-.]|$)/

interface Source {
  file: string
  room: string
  text: string
  imports: { file: string; room: string }[]
}

const sources: Source[] = await Promise.all(
  (await readdir(src, { recursive: true }))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.endsWith('.factory.ts'))
    .map(async (file) => {
      const text = await readFile(path.join(src, file), 'utf8')
      const targets = [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map(([, target]) =>
        path.normalize(path.join(path.dirname(file), target!)),
      )
      return {
        file,
        room: roomOf(file),
        text,
        imports: targets.map((target) => ({ file: target, room: roomOf(target) })),
      }
    }),
)

function roomOf(file: string): string {
  const [first] = file.split(path.sep)
  return first!.replace(/\.ts$/, '')
}

describe('the source', () => {
  test('is where the plan has a place for it', () => {
    expect(sources.filter(({ room }) => rankOf(room) === -1).map(({ file }) => file)).toEqual([])
  })

  test('imports only rightwards', () => {
    const wrong = sources.flatMap(({ file, room, imports }) =>
      imports
        .filter((one) => one.room !== room && rankOf(one.room) < rankOf(room))
        .map((one) => `${file} → ${one.file}`),
    )
    expect(wrong).toEqual([])
  })

  test('enters another slice only through its index', () => {
    const wrong = sources.flatMap(({ file, room, imports }) =>
      imports
        .filter(
          (one) =>
            one.room !== room &&
            ![
              'kernel',
              'engines',
              'main',
              'app',
              'bootstrap',
              'open-database',
              'external-api',
              'app-api',
              'reporting-api',
            ].includes(one.room),
        )
        .filter((one) => path.basename(one.file) !== 'index.ts')
        .map((one) => `${file} → ${one.file}`),
    )
    expect(wrong).toEqual([])
  })

  test('keeps its files small', () => {
    expect(sources.filter(({ text }) => text.split('\n').length - 1 > LINES).map(({ file }) => file)).toEqual([])
  })

  test('has no drawer for odds and ends', () => {
    expect(sources.filter(({ file }) => BANNED.test(path.basename(file, '.ts'))).map(({ file }) => file)).toEqual([])
  })

  test('waits for no timer where it opens transactions', () => {
    const opening = sources.filter(
      ({ file, text }) => /\bin(Transaction|Savepoint)\(/.test(text) && !file.includes('database'),
    )
    expect(opening.length).toBeGreaterThan(10)
    expect(opening.filter(({ text }) => text.includes('node:timers/promises')).map(({ file }) => file)).toEqual([])
  })

  test('writes a table only in the slice that owns it', async () => {
    const owners: Record<string, string> = {
      users: 'accounts',
      organizations: 'accounts',
      organization_members: 'accounts',
      credentials: 'accounts',
      projects: 'projects',
      project_members: 'projects',
      api_keys: 'projects',
      counters: 'projects',
      resources: 'links',
      context_links: 'links',
      artifacts: 'artifacts',
      work_orders: 'work-orders',
      labels: 'work-orders',
      phases: 'work-orders',
      feedback_items: 'feedback',
      feedback_attachments: 'feedback',
      feedback_uploads: 'feedback',
      feedback_storage: 'feedback',
      feedback_upload_hours: 'feedback',
      themes: 'feedback',
      quotes: 'feedback',
      automations: 'automations',
      automation_triggers: 'automations',
      automation_grants: 'automations',
      automation_runs: 'automations',
      automation_run_items: 'automations',
      events: 'kernel',
      organization_events: 'kernel',
      conversations: 'conversations',
      conversation_events: 'conversations',
      integrations: 'integrations',
      shared_secrets: 'kernel',
      replays: 'kernel',
      rate_windows: 'kernel',
    }
    const wrong = sources.flatMap(({ file, room, text }) =>
      [...text.matchAll(/\b(?:insert into|update|delete from)\s+([a-z_]+)/g)]
        .filter(([, table]) => owners[table!] !== undefined && owners[table!] !== room)
        .map(([statement]) => `${file}: ${statement}`),
    )
    expect(wrong).toEqual([])
  })
})
