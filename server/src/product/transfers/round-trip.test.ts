import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorkspace, type Workspace } from '../../../test/harness.ts'
import { type FilledDemo, fillDemo } from '../../demo/index.ts'
import { openVisitor } from '../../faces/app-api/visitor.factory.ts'
import type { ProjectRole } from '../../kernel/context.ts'
import { addUser } from '../accounts/index.ts'
import { addKey, addMember, removeMember } from '../projects/index.ts'
import { answerOf, type Get, once, pathsOf } from './api-walk.factory.ts'
import { exported, formOf, multipart, runTransfers } from './transfer.factory.ts'

let ws: Workspace
let other: Workspace
let demo: FilledDemo
let archive: Buffer

beforeAll(async () => {
  ws = await openWorkspace()
  other = await openWorkspace()
  demo = await fillDemo({ ...ws.deps, db: ws.sql })
  archive = await exported(ws, ws.client(demo.externalKey))
}, 120_000)
afterAll(() => Promise.all([ws.close(), other.close()]))

/**
 * What is about the place and not about the project (unfinished uploads too), never ends, or is random: the state of an editor
 * names sessions.
 */
const NOT_OF_PROJECT =
  /^\/(session|account|project|members|stream|events|invitations|api_keys|users|health|openapi\.json|transfers|exports|imports|search|integrations|changes|webhooks|code_hosts|connected_apps|connected_integrations|agents|automations\/(rows|schedule)|artifacts\/uploads|feedback\/(mailings|sources))\b|\/(stream|live_state)$/
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

type Api = 'app-api' | 'external-api'

const ADA = 'ada@harbor.example'

interface Side {
  get: Get
  log: Get
  paths: string[]
}

/** A member of the project of the demo, here or there, at one of the APIs. */
async function sideOf(at: Workspace, api: Api, projectId: string, key: string): Promise<Side> {
  const visitor = openVisitor(at.app)
  await visitor.signIn(ADA, demo.password)
  visitor.at({ id: projectId })
  const log: Get = (path) => visitor.call('GET', path)
  const client = at.client(key)
  const get = once(api === 'app-api' ? log : (path) => client.get(path))
  return { get, log, paths: await pathsOf(at.app, api, get, NOT_OF_PROJECT) }
}

/** A new project with the same people, and the archive in it. */
async function importInto(at: Workspace) {
  const project = await at.project()
  const people = new Map<string, string>()
  const members = await ws.sql<{ name: string; email: string; role: ProjectRole; signsIn: boolean }[]>`
    select u.name, u.email, m.role, exists (select from credentials where user_id = u.id) as "signsIn" from project_members m join users u on u.id = m.user_id
    where m.project_id = ${demo.projectId}`
  for (const { name, email, role, signsIn } of members) {
    const [known] = await at.sql<{ id: string }[]>`select id from users where email = ${email}`
    const newcomer = {
      email,
      name,
      organizationId: project.organizationId,
      ...(signsIn && { password: demo.password }),
    }
    const { id } = known ?? (await addUser(at.operator, { ...newcomer, role: 'member' }))
    await addMember(project.operator, id, role)
    people.set(email, id)
  }
  const adas = await addKey(project.operator, { kind: 'external', userId: people.get(ADA)!, name: 'Mover' })
  const api = at.client(adas.key)
  const started = await api.post('/imports', formOf('project.zip', archive), multipart)
  expect(started.status, started.text).toBe(202)
  await runTransfers(at, project.id)
  const { body } = await api.get(`/imports/${started.body.data.id}`)
  expect(body.data.error).toBeNull()
  expect(body.data).toMatchObject({ state: 'done', counts: { work_orders: 58, feedback_items: 214 } })
  // Only the people of the demo are left.
  const { userId, name, email } = project.admin
  await removeMember(project.operator, { id: userId, name, email })
  return { project, key: adas.key }
}

describe.each<[string, () => Workspace, Api]>([
  ['on another server', () => other, 'app-api'],
  ['on the same server', () => ws, 'external-api'],
])('an export imported into a new project %s', (_where, workspace, api) => {
  it(`answers every GET of the ${api} as before`, async () => {
    const at = workspace()
    const { project, key } = await importInto(at)
    const before = await sideOf(ws, api, demo.projectId, demo.externalKey)
    const after = await sideOf(at, api, project.id, key)
    const names = await namesOf(ws, at)
    for (const { id } of [project, { id: demo.projectId }]) names.set(id, 'the project')
    const plain = (text: string) => normal(text.replace(UUID, (id) => names.get(id) ?? id.slice(0, 19)))
    expect(after.paths.map(plain)).toEqual(before.paths.map(plain))
    expect(before.paths.length).toBeGreaterThan(1_500)
    const renewed = new Map<string, string>()
    const differing: { path: string; before: string; after: string }[] = []
    const both = await inGroups(before.paths, 20, async (path, index) => {
      const answers = [answerOf(before.get, path), answerOf(after.get, after.paths[index]!)] as const
      return { path, answers: await Promise.all(answers) }
    })
    for (const {
      path,
      answers: [old, now],
    } of both) {
      if (comparable(path, plain(now)) !== comparable(path, plain(old))) {
        differing.push(firstDifference(path, plain(old), plain(now)))
        continue
      }
      // The same thing has the same new id everywhere.
      const ids = now.match(UUID) ?? []
      for (const [place, id] of (old.match(UUID) ?? []).entries()) {
        const known = renewed.get(id) ?? ids[place]!
        if (known !== ids[place]) differing.push({ path, before: `${id}: ${known}`, after: ids[place]! })
        renewed.set(id, known)
      }
    }
    expect(differing).toEqual([])
    const log = async (side: Side) => (await changesOf(side.log)).map((one) => plain(JSON.stringify(one)))
    expect(await log(after)).toEqual(await log(before))
  }, 300_000)
})

/** Some at once, which takes half as long as one after the other. */
async function inGroups<T, R>(all: T[], size: number, run: (one: T, index: number) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (let first = 0; first < all.length; first += size)
    results.push(...(await Promise.all(all.slice(first, first + size).map((one, at) => run(one, first + at)))))
  return results
}

/** The first line in which two answers differ, which says more than both in full. */
function firstDifference(path: string, before: string, after: string) {
  const [old, now] = [before.split('\n'), after.split('\n')]
  const line = old.findIndex((one, index) => one !== now[index])
  return { path, before: old.slice(line - 1, line + 2).join('\n'), after: now.slice(line - 1, line + 2).join('\n') }
}

const STAYING = ['project', 'user', 'invitation', 'api_key', 'connected_app', 'webhook', 'code_host']

/** The whole history, without what it says about access and about the place. */
async function changesOf(get: Get) {
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely
  const all: any[] = []
  for (let before = ''; ; ) {
    const { body } = await get(`/changes?limit=100${before && `&before=${before}`}`)
    all.push(...body.items)
    if (!body.next_before) break
    before = body.next_before
  }
  return all.filter(({ subject_type }) => !STAYING.includes(subject_type)).map(({ id: _, ...rest }) => rest)
}

/** What people and keys are called instead of their ids, which differ from place to place. */
async function namesOf(...all: Workspace[]): Promise<Map<string, string>> {
  const names = new Map<string, string>()
  for (const { sql } of all) {
    for (const { id, email } of await sql`select id, email from users`) names.set(id, email)
    for (const { id, name } of await sql`select id, name from api_keys`) names.set(id, name)
  }
  return names
}

/** Automations of people arrive switched off, and integrations wait to be connected again. Rights depend on the organization. */
const RESTING = new Set(['enabled', 'next_fire_at', 'paused', 'is_connected', 'may'])
const comparable = (path: string, text: string) =>
  path.startsWith('/automation')
    ? JSON.stringify(JSON.parse(text.slice(4), (key, value) => (RESTING.has(key) ? undefined : value)))
    : text

/** What depends on the place: keys in the store, and positions in its log. */
function normal(text: string): string {
  return text
    .replaceAll(/"s3_uri": "[^"]*"/g, '"s3_uri": "…"')
    .replaceAll(/"(request_id|position|next_cursor)": "[^"]*"(?=\n\})/g, '"$1": "…"')
}
