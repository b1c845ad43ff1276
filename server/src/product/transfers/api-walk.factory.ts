import { createHash } from 'node:crypto'
import type { App } from '../../app.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape are walked
type Shown = any

interface Answer {
  status: number
  headers: Record<string, unknown>
  body?: Shown
  bytes: Buffer
}

/** Sends a GET with the path as the specification has it, such as `/artifacts?page=1`. */
export type Get = (path: string) => Promise<Answer>

/** Asks for each path once: most are asked for to find others as well. */
export function once(get: Get): Get {
  const answers = new Map<string, Promise<Answer>>()
  return (path) => {
    const answer = answers.get(path) ?? get(path)
    answers.set(path, answer)
    return answer
  }
}

/** Where the ids come from that stand in paths: the list, and the field in its items. */
const LISTS: Record<string, [string, string]> = {
  artifact_id: ['/artifacts', 'id'],
  document_id: ['/requirements', 'id'],
  blueprint_document_id: ['/blueprints', 'id'],
  work_order_id: ['/work_orders', 'id'],
  work_order_number: ['/work_orders', 'work_order_number'],
  feedback_item_id: ['/feedback/items', 'id'],
  theme_id: ['/feedback/themes', 'id'],
  conversation_id: ['/agent_conversations', 'id'],
  automation_id: ['/automations', 'id'],
  resource_id: ['/work_orders', 'id'],
  '/automation_runs/run_id': ['/automation_runs', 'id'],
}

/** The same for ids of what belongs to something, under the path of that. */
const NESTED: Record<string, [string, (body: Shown) => string[]]> = {
  version_id: ['/versions', ({ items }) => items.map((one: Shown) => one.version_id ?? one.id)],
  from_version_id: ['/versions', ({ items }) => items.slice(-1).map((one: Shown) => one.version_id ?? one.id)],
  to_version_id: ['/versions', ({ items }) => items.slice(0, 1).map((one: Shown) => one.version_id ?? one.id)],
  thread_id: ['/comments', ({ items }) => items.map((one: Shown) => one.id)],
  run_id: ['/runs?page_size=100&page=1', ({ items }) => items.map((one: Shown) => one.id)],
  number: ['?limit=100', ({ items }) => items.map((one: Shown) => String(one.number))],
  attachment_id: ['', ({ data }) => data.attachments.map((one: Shown) => one.id)],
}

/** All paths of an API that a GET can ask for in a project, with the ids filled in, in the order of the lists. */
export async function pathsOf(app: App, api: 'app-api' | 'external-api', get: Get, leftOut: RegExp): Promise<string[]> {
  // The app API has the operations of the external API, too.
  const documents: Shown[] =
    api === 'app-api' ? [app.openApiDocument(), app.appOpenApiDocument()] : [app.openApiDocument()]
  const described = documents.flatMap(({ paths }) => Object.entries<Shown>(paths))
  const lists = new Map<string, Promise<Shown[]>>()
  const listAll = (path: string) => {
    if (!lists.has(path)) lists.set(path, itemsOf(get, path))
    return lists.get(path)!
  }
  const found: string[] = []
  for (const [pattern, methods] of described) {
    const path = pattern.replace(/^\/v2\/[^/]+/, '')
    if (!methods.get || leftOut.test(path)) continue
    const isPaged = methods.get.parameters.some((one: Shown) => one.$ref === '#/components/parameters/Page')
    const filled = await fill(path, get, listAll)
    for (const one of filled) {
      if (!isPaged) found.push(one)
      else for (let page = 1; page <= (await pagesOf(get, one)); page++) found.push(`${one}?page_size=100&page=${page}`)
    }
  }
  return found
}

async function fill(path: string, get: Get, listAll: (path: string) => Promise<Shown[]>): Promise<string[]> {
  const name = /\{(\w+)\}/.exec(path)?.[1]
  if (!name) return [path]
  const [before] = path.split(`{${name}}`)
  const list = LISTS[`${before}${name}`] ?? LISTS[name]
  let ids: string[]
  if (list) ids = (await listAll(list[0])).map((item) => String(item[list[1]]))
  else {
    const [below, idsIn] = NESTED[name]!
    const owner = before!.replace(/\/(versions|comments|runs|attachments)(\/.*)?$/, '').replace(/\/$/, '')
    // Only people see the versions of artifacts, as a history.
    const listed = owner.startsWith('/artifacts/') && below === '/versions' ? '/history' : below
    ids = idsIn((await get(`${owner}${listed}`)).body)
  }
  const filled = ids.map((id) => path.replace(`{${name}}`, id))
  return (await Promise.all(filled.map((one) => fill(one, get, listAll)))).flat()
}

async function pagesOf(get: Get, path: string): Promise<number> {
  const { body } = await get(`${path}?page_size=100&page=1`)
  return Math.max(1, Math.ceil((body?.total ?? 0) / 100))
}

async function itemsOf(get: Get, path: string): Promise<Shown[]> {
  const items: Shown[] = []
  for (let page = 1, next = ''; ; page++) {
    const { body } = await get(`${path}?page_size=100${next || `&page=${page}`}`)
    items.push(...body.items)
    next = body.next_cursor ? `&cursor=${encodeURIComponent(body.next_cursor)}` : ''
    if (!next && (body.total === undefined || items.length >= body.total)) return items
  }
}

/** The answer as it can be compared: bytes by their sum, everything else as it is. */
export async function answerOf(get: Get, path: string): Promise<string> {
  const { status, body, bytes } = await get(path)
  const shown = body ?? createHash('sha256').update(bytes).digest('hex')
  return `${status} ${JSON.stringify(shown, null, 1)}`
}
