import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually, openWorkspace, type Workspace } from '../../../../test/harness.ts'
import type { App } from '../../../app.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { uuidv7 } from '../../../kernel/uuid.ts'
import { conversationEvents } from '../../../product/conversations/events.ts'
import { type Person, signedIn } from '../../../product/conversations/person.factory.ts'
import { integrationEvents } from '../../../product/integrations/events.ts'
import { keyEvents } from '../../../product/projects/events.ts'
import { addKey, addMember, loadProject, operatorCtx, removeMember } from '../../../product/projects/index.ts'
import { happen, happenLater, openTab, startNode } from './stream.factory.ts'

let workspace: Workspace
let one: App
let other: App
beforeAll(async () => {
  workspace = await openWorkspace()
  one = await startNode(workspace)
  other = await startNode(workspace)
})
afterAll(() => workspace.close())

async function setUp(): Promise<{ person: Person; ctx: Ctx }> {
  const person = await signedIn(workspace)
  const project = await loadProject(workspace.sql, person.projectId)
  return { person, ctx: operatorCtx({ ...workspace.deps, db: workspace.sql }, project) }
}

const asUser = (ctx: Ctx, userId: string): Ctx => ({ ...ctx, actor: { ...ctx.actor, userId, origin: 'user' } })

const called = (id: string) => integrationEvents.called(id, { title: 'Tracker: add', tool: 'add' })
const keyOf = (userId: string) => ({
  kind: 'external' as const,
  name: 'Build',
  user_id: userId,
  role: null,
  expires_at: null,
})

describe('the stream', () => {
  test('shows on every node what changes, and who did it', async () => {
    const { person, ctx } = await setUp()
    const key = await addKey(ctx, { kind: 'external', userId: person.userId, name: 'CI' })
    const tabs = [await openTab(person, one), await openTab(person, other)]
    const operations = [{ operation_id: 'a', operation_type: 'CreateWorkOrder', patch: { title: 'Live' } }]
    await person.call('POST', '/work_orders/batch_create', { request_id: 'live', operations })
    const byKey = workspace.client(key.key, one)
    await byKey.post('/requirements', { document_type: 'FEATURE', title: 'Tides' })
    for (const tab of tabs) {
      const created = await eventually(() => tab.events.find(({ data }) => data.kind === 'work_order.created'))
      expect(created).toMatchObject({
        event: 'change',
        data: {
          subject_type: 'work_order',
          payload: { title: 'Live' },
          actor: { type: 'person', id: person.userId, name: 'Talker', on_behalf_of: null },
        },
      })
      const written = await eventually(() =>
        tab.events.find(({ data }) => data.kind === 'requirements_document.created'),
      )
      expect(written.data.actor).toEqual({
        type: 'key',
        id: key.id,
        name: 'CI',
        on_behalf_of: { id: person.userId, name: 'Talker' },
      })
    }
  })

  test('resumes after the last event seen, also on another node', async () => {
    const { person, ctx } = await setUp()
    const tab = await openTab(person, one)
    const seen = await happen(ctx)
    const { id, data } = await tab.change(seen)
    tab.close()
    const missed = [await happen(ctx), await happen(ctx)]
    for (const node of [one, other])
      for (const position of [id!, data.id]) {
        const again = await openTab(person, node, { last_event_id: position })
        await again.change(missed[1]!)
        expect(again.events.map((event) => event.data.subject_id)).toEqual(missed)
        again.close()
      }
  })

  test('leaves out nothing that changed after the session was read, also what began before', async () => {
    const { person, ctx } = await setUp()
    await happen(ctx)
    const slow = await happenLater(ctx)
    const session = await one.inject({ url: '/v2/app-api/session', headers: { cookie: person.cookie } })
    const { position } = session.json().data
    const missed = [slow.subjectId, await happen(ctx)]
    await slow.commit()
    const tab = await openTab(person, other, { last_event_id: position })
    for (const subjectId of missed) await tab.change(subjectId)
    tab.close()
    const { id } = await tab.change(slow.subjectId)
    const resumed = await openTab(person, one, { last_event_id: id! })
    await resumed.change(missed[1]!)
  })

  test('leaves nothing out when transactions commit in another order than they began', async () => {
    const { person, ctx } = await setUp()
    const tab = await openTab(person, one)
    const slow = await happenLater(ctx)
    const fast = await happen(ctx)
    const { id, data } = await tab.change(fast)
    tab.close()
    await slow.commit()
    const again = await openTab(person, other, { last_event_id: id! })
    const late = await again.change(slow.subjectId)
    expect(Number(late.data.id)).toBeLessThan(Number(data.id))
  })

  test('delivers late commits to those who stayed, once', async () => {
    const { person, ctx } = await setUp()
    const tab = await openTab(person, one)
    const slow = await happenLater(ctx)
    const fast = await happen(ctx)
    await tab.change(fast)
    // By then the position has moved on as far as it can.
    const later = await happen(ctx)
    await tab.change(later)
    await slow.commit()
    await tab.change(slow.subjectId)
    await eventually(() => {
      const [seen, settled] = tab.lastId.split('-')
      return settled === seen
    })
    expect(tab.events.map(({ data }) => data.subject_id)).toEqual([fast, later, slow.subjectId])
  })

  test('asks for a reload when too much has changed since, and goes on from there', async () => {
    const { person, ctx } = await setUp()
    const first = await openTab(person, one)
    const { lastId } = first
    first.close()
    const session = await one.inject({ url: '/v2/app-api/session', headers: { cookie: person.cookie } })
    await workspace.sql`insert into events (project_id, kind, subject_type, subject_id, origin, request_id, payload)
      select ${person.projectId}, 'work_order.updated', 'work_order', gen_random_uuid(), 'system', 'x', '{"fields": ["title"]}'
      from generate_series(1, 1100)`
    for (const position of [lastId, session.json().data.position]) {
      const tab = await openTab(person, one, { last_event_id: position })
      await eventually(() => tab.events.length > 0)
      expect(tab.events.map(({ event }) => event)).toEqual(['reset'])
      await tab.change(await happen(ctx))
      expect(tab.events).toHaveLength(2)
    }
  })

  test('goes on after the database has broken the connection that listens', async () => {
    const { person, ctx } = await setUp()
    const tab = await openTab(person, one)
    await eventually(async () => {
      const broken = await workspace.sql`select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'slipway-listen' and datname = current_database()`
      return broken.length > 0
    })
    await tab.change(await happen(ctx))
    expect(tab.isOver).toBe(false)
  })

  test('ends when the server stops', async () => {
    const { person } = await setUp()
    const node = await startNode(workspace)
    const tab = await openTab(person, node)
    await node.close()
    await eventually(() => tab.isOver)
  })

  test('needs one connection for all tabs, of which a person has at most 50', async () => {
    const { person, ctx } = await setUp()
    const node = await startNode(workspace)
    const tabs = await Promise.all(Array.from({ length: 50 }, () => openTab(person, node)))
    const [listening] = await workspace.sql`select count(*)::int as count from pg_stat_activity
      where application_name = 'slipway-listen' and datname = current_database()`
    expect(listening!.count).toBeLessThanOrEqual(1)
    expect((await openTab(person, node)).status).toBe(429)
    const statements: string[] = []
    workspace.sql.onStatement = (text) => statements.push(text)
    const subject = await happen(ctx)
    await Promise.all(tabs.map((tab) => tab.change(subject)))
    workspace.sql.onStatement = undefined
    // A few: reading again, to see what is settled, and the other nodes of this test.
    expect(statements.filter((text) => text.includes('from events')).length).toBeLessThan(5)
    tabs[0]!.close()
    await eventually(async () => (await openTab(person, node)).status === 200)
  })
})

describe('a person', () => {
  test('sees nothing of other projects', async () => {
    const { person, ctx } = await setUp()
    const stranger = await setUp()
    const tab = await openTab(person, one)
    await happen(stranger.ctx)
    const own = await happen(ctx)
    await tab.change(own)
    expect(tab.events.map(({ data }) => data.subject_id)).toEqual([own])
    expect((await openTab({ ...person, projectId: stranger.person.projectId }, one)).status).toBe(404)
    expect((await openTab({ ...person, cookie: '' }, one)).status).toBe(401)
    expect((await openTab({ ...person, projectId: 'none' }, one)).status).toBe(422)
  })

  test('who is removed from the project sees nothing more, and the stream ends', async () => {
    const { person, ctx } = await setUp()
    const tabs = [await openTab(person, one), await openTab(person, other)]
    await removeMember(ctx, { id: person.userId, email: person.email, name: '' })
    await eventually(() => tabs.every(({ isOver }) => isOver))
    await happen(ctx)
    expect(tabs.flatMap(({ events }) => events)).toEqual([])
    expect((await openTab(person, one)).status).toBe(404)
  })

  test('sees neither the integrations nor the keys of others unless they are an admin', async () => {
    const { person, ctx } = await setUp()
    const admin = await signedIn(workspace)
    await addMember(ctx, admin.userId, 'admin')
    const tab = await openTab(person, one)
    const tabOfAdmin = await openTab({ ...admin, projectId: person.projectId }, one)
    const mine = await happen(asUser(ctx, person.userId), called)
    const theirs = await happen(asUser(ctx, admin.userId), called)
    const key = await happen(ctx, (id) => keyEvents.revoked(id, keyOf(admin.userId)))
    const secret = await happen(ctx, (id) => conversationEvents.created(id, { owner_id: uuidv7(), shared: false }))
    const unknown = await happen(ctx, (id) => ({ ...called(id), kind: 'integration.unheard_of' }))
    const last = await happen(ctx)
    await tab.change(last)
    await tabOfAdmin.change(last)
    const subjects = (events: { data: { subject_id: string } }[]) => events.map(({ data }) => data.subject_id)
    expect(subjects(tab.events)).toEqual([mine, last])
    expect(subjects(tabOfAdmin.events)).toEqual([mine, theirs, key, last])
    const resumed = await openTab(person, other, { last_event_id: '1' })
    await resumed.change(last)
    await workspace.sql`delete from events where subject_id = ${unknown}`
    expect(subjects(resumed.events)).toEqual(expect.not.arrayContaining([theirs, key, secret, unknown]))
  })
})
