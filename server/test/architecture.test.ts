import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { cyclesOf, foldersOf, readSources } from './import-graph.ts'

const src = path.resolve(import.meta.dirname, '../src')
const migrations = path.resolve(import.meta.dirname, '../migrations')

/** Imports point only to the right. Rooms in one entry may import each other. */
const ORDER = [
  ['start'],
  ['main', 'admin', 'write-openapi'],
  ['bootstrap', 'demo', 'event-docs', 'open-database', 'root-rights', 'app'],
  ['config'],
  ['mcp'],
  ['external-api', 'app-api', 'reporting-api', 'web', 'guides'],
  ['transfers'],
  ['webhooks'],
  ['code-hosts'],
  ['automations'],
  ['conversations'],
  ['integrations'],
  ['feedback'],
  ['work-orders'],
  ['blueprints'],
  ['requirements'],
  ['documents'],
  ['artifacts'],
  ['live-texts'],
  ['links'],
  ['oauth'],
  ['projects'],
  ['accounts'],
  ['kernel'],
  ['engines'],
]
const rankOf = (room: string) => ORDER.findIndex((rooms) => rooms.includes(room))
const isFace = (room: string) => rankOf(room) >= rankOf('mcp') && rankOf(room) < rankOf('transfers')
/** A slice may be entered only through its index. */
const isSlice = (room: string) => rankOf(room) >= rankOf('transfers') && rankOf(room) <= rankOf('accounts')

/**
 * The tables that each room writes. Nobody else does, with one exception that names no table: the demo moves the
 * timestamps of its own project into the past (`demo/story.ts`), which no action can and should.
 */
const OWNED = {
  accounts: ['users', 'sessions', 'credentials', 'verifications', 'organizations', 'organization_members'],
  projects: ['projects', 'project_members', 'invitations', 'api_keys', 'counters', 'agent_calls'],
  oauth: ['oauth_clients', 'oauth_grants', 'oauth_tokens'],
  links: ['resources', 'context_links', 'link_confirmations'],
  artifacts: [
    'artifacts',
    'artifact_trash',
    'artifact_uploads',
    'artifact_upload_parts',
    'artifact_versions',
    'artifact_version_authors',
  ],
  'live-texts': ['live_texts'],
  documents: [
    'document_trees',
    'documents',
    'document_versions',
    'document_version_authors',
    'document_changes',
    'document_threads',
    'document_messages',
    'document_visits',
  ],
  requirements: ['requirement_states', 'requirement_approvals'],
  'work-orders': [
    'work_orders',
    'work_order_comments',
    'work_order_comment_artifacts',
    'labels',
    'phases',
    'work_order_views',
    'work_order_claims',
  ],
  feedback: [
    'feedback_items',
    'feedback_attachments',
    'feedback_contacts',
    'feedback_uploads',
    'feedback_storage',
    'feedback_suggestions',
    'feedback_upload_hours',
    'themes',
    'quotes',
    'theme_mailings',
    'theme_mails',
    'theme_regroupings',
    'triage_lessons',
    'triage_readings',
    'widget_options',
  ],
  integrations: ['integrations'],
  conversations: [
    'conversations',
    'conversation_events',
    'model_usage',
    'model_reservations',
    'project_models',
    'person_usage',
    'agent_deeds',
    'automation_budgets',
  ],
  automations: [
    'automations',
    'automation_triggers',
    'automation_grants',
    'automation_runs',
    'automation_run_items',
    'stopped_chains',
  ],
  transfers: ['transfers', 'imported_work_orders'],
  'code-hosts': ['code_hosts', 'code_host_receipts', 'work_order_code'],
  webhooks: ['webhooks', 'webhook_deliveries'],
  kernel: ['events', 'replays', 'rate_windows', 'installation', 'organization_events', 'kept_rows'],
}
const OWNERS = new Map(Object.entries(OWNED).flatMap(([room, tables]) => tables.map((table) => [table, room])))

/**
 * What a list shows of a thing comes with the list, so these read a table of a slice to the left: the state of a
 * conversation's run, the automations that may use an integration, and the comments that a file is attached to.
 */
const READ_BY_LISTS: Record<string, string[]> = {
  'product/conversations/queries.ts': ['automation_runs'],
  'product/integrations/health-queries.ts': ['automation_grants', 'automations'],
  'product/integrations/queries.ts': ['automations'],
  'product/artifacts/browsing/browse-queries.ts': ['work_order_comment_artifacts'],
}

/** A statement in a template. */
const SQL = /\b(?:db|tx|sql)(?:<[^`]*>)?`\s*(?:select|insert into|update|delete from|with)\s/

const MAX_LINES = 300
const MAX_FILES_IN_FOLDER = 22
const VAGUE = /(^|[-.])(utils?|helpers?|common|misc|manager|service|data|info)([-.]|$)/
/** Words of the product, which neither the kernel nor an engine knows. */
const PRODUCT_WORD = /\b(work.?orders?|blueprints?|requirements?|feedback|themes?|conversations?|artifacts?)\b/i

const sources = await readSources(src)

describe('imports', () => {
  test('know every room, and no room that does not exist', () => {
    const rooms = new Set(sources.map(({ room }) => room))
    expect([...rooms].filter((room) => rankOf(room) === -1)).toEqual([])
    expect(ORDER.flat().filter((room) => !rooms.has(room))).toEqual([])
  })

  test('find faces and slices in the folders that are named after them', () => {
    const storeyOf = (room: string) => (isFace(room) ? `faces/${room}/` : isSlice(room) ? `product/${room}/` : room)
    expect(sources.filter(({ file, room }) => !file.startsWith(storeyOf(room))).map(({ file }) => file)).toEqual([])
  })

  test('point only to the right', () => {
    const wrong = sources.flatMap(({ file, room, imports }) =>
      imports
        .filter((one) => one.room !== room && rankOf(one.room) < rankOf(room))
        .map((one) => `${file} → ${one.file}`),
    )
    expect(wrong).toEqual([])
  })

  test('enter another slice only through its index', () => {
    const wrong = sources.flatMap(({ file, room, imports }) =>
      imports
        .filter((one) => one.room !== room && isSlice(one.room) && path.basename(one.file) !== 'index.ts')
        .map((one) => `${file} → ${one.file}`),
    )
    expect(wrong).toEqual([])
  })

  test('have no cycles, not even of types', () => {
    expect(cyclesOf(sources)).toEqual([])
  })

  test('between the folders of a room point in one direction', () => {
    expect(cyclesOf(foldersOf(sources))).toEqual([])
  })
})

test('the program loads no table of languages, which only the thread that reads texts needs', async () => {
  const bundle = path.resolve(import.meta.dirname, '../dist/bundle')
  const loaded = new Map<string, string>()
  const load = async (file: string): Promise<void> => {
    if (loaded.has(file)) return
    const text = await readFile(path.join(bundle, file), 'utf8')
    loaded.set(file, text)
    for (const [, next] of text.matchAll(/^(?:import|\} from) "\.\/([\w.-]+\.js)";$/gm)) await load(next!)
  }
  const [main] = (await readdir(bundle)).filter((file) => /^main-\w+\.js$/.test(file))
  await load(main!)
  expect(loaded.size).toBeGreaterThan(5)
  expect([...loaded.keys()].filter((file) => loaded.get(file)!.includes('node_modules/eld/'))).toEqual([])
})

describe('tables', async () => {
  const sql = await Promise.all(
    (await readdir(migrations)).sort().map((file) => readFile(path.join(migrations, file), 'utf8')),
  )
  const tables = new Set<string>()
  for (const [, verb, table] of sql.join('\n').matchAll(/^(create|drop)(?: unlogged)? table (\w+)/gm)) {
    if (verb === 'create') tables.add(table!)
    else tables.delete(table!)
  }

  test('have exactly one owner each', () => {
    expect(Object.values(OWNED).flat().sort()).toEqual([...tables].sort())
  })

  test('are read only by their owner and by rooms to the left of it', () => {
    const wrong = sources.flatMap(({ file, room, text }) => {
      const read = [...text.matchAll(/\b(?:from|join)\s+([a-z_]+)/g)].map(([, table]) => table!)
      const ofOthers = read.filter((table) => tables.has(table) && rankOf(OWNERS.get(table)!) < rankOf(room))
      return ofOthers.length === 0 ? [] : [[file, [...new Set(ofOthers)].sort()] as const]
    })
    expect(Object.fromEntries(wrong)).toEqual(READ_BY_LISTS)
  })

  test('are written only by their owner', () => {
    const wrong = sources.flatMap(({ file, room, text }) =>
      [...text.matchAll(/\b(?:insert into|update|delete from)\s+([a-z_]+)/g)]
        .filter(([, table]) => tables.has(table!) && OWNERS.get(table!) !== room)
        .map(([statement]) => `${file}: ${statement}`),
    )
    expect(wrong).toEqual([])
  })
})

test('slices keep SQL in files called queries or writes', () => {
  const wrong = sources.filter(
    ({ file, room, text }) => isSlice(room) && SQL.test(text) && !/(?:^|[-/])(?:queries|writes)\.ts$/.test(file),
  )
  expect(wrong.map(({ file }) => file)).toEqual([])
})

describe('files', () => {
  test('are small', () => {
    expect(sources.filter(({ text }) => text.split('\n').length - 1 > MAX_LINES).map(({ file }) => file)).toEqual([])
  })

  test('share a folder with few others', () => {
    const counts = new Map<string, number>()
    for (const { file } of sources) counts.set(path.dirname(file), (counts.get(path.dirname(file)) ?? 0) + 1)
    expect([...counts].filter(([, count]) => count > MAX_FILES_IN_FOLDER)).toEqual([])
  })

  test('say in their names what they are about', () => {
    expect(sources.filter(({ file }) => VAGUE.test(path.basename(file, '.ts'))).map(({ file }) => file)).toEqual([])
  })

  test('of the kernel and the engines know no word of the product', () => {
    const wrong = sources
      .filter(({ room, text }) => (room === 'kernel' || room === 'engines') && PRODUCT_WORD.test(text))
      .map(({ file, text }) => `${file}: ${text.match(PRODUCT_WORD)![0]}`)
    expect(wrong).toEqual([])
  })

  test('that open transactions wait for no timer', () => {
    const opening = sources.filter(
      ({ file, text }) => /\bin(Transaction|Savepoint)\(/.test(text) && !file.includes('database'),
    )
    expect(opening.length).toBeGreaterThan(10)
    expect(opening.filter(({ text }) => text.includes('node:timers/promises')).map(({ file }) => file)).toEqual([])
  })
})
