import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inTransaction } from '../../src/kernel/database/index.ts'
import { createWorkOrder } from '../../src/product/work-orders/work-order.factory.ts'
import { eventually, type Member, openWorkspace, type Workspace } from '../harness.ts'

let workspace: Workspace
let admin: Member
let path: string
let other: Member
beforeAll(async () => {
  workspace = await openWorkspace()
  const project = await workspace.project()
  admin = project.admin
  other = await project.join('editor')
  path = `/work_orders/${(await createWorkOrder(admin.api)).id}/comments`
})
afterAll(() => workspace.close())

const comment = (text: string, key: string, member = admin) =>
  member.api.post(path, { markdown_content: text }, { 'idempotency-key': key })
const texts = async () =>
  (await admin.api.get(path)).body.items.map((one: { markdown_content: string }) => one.markdown_content)

describe('an Idempotency-Key', () => {
  test('replays the response of a repeated POST without side effects', async () => {
    const first = await comment('once', 'k1')
    const again = await comment('once', 'k1')
    expect([first.status, again.status]).toEqual([201, 201])
    expect(again.body).toEqual(first.body)
    expect([first.headers['idempotency-replayed'], again.headers['idempotency-replayed']]).toEqual([undefined, 'true'])
    expect((await texts()).filter((text: string) => text === 'once')).toHaveLength(1)
  })

  test('ignores the order of fields', async () => {
    const headers = { 'idempotency-key': 'order' }
    await admin.api.post(path, '{"markdown_content":"o","artifact_ids":[]}', headers)
    const again = await admin.api.post(path, '{"artifact_ids":[],"markdown_content":"o"}', headers)
    expect(again.headers['idempotency-replayed']).toBe('true')
  })

  test('with another body is a 422', async () => {
    await comment('one', 'k2')
    expect(await comment('two', 'k2')).toMatchObject({
      status: 422,
      body: { code: 'idempotency_key_reused', errors: [{ pointer: '/Idempotency-Key', detail: expect.any(String) }] },
    })
  })

  test('belongs to its API key and its path', async () => {
    await comment('shared', 'k3')
    expect((await comment('shared', 'k3', other)).headers['idempotency-replayed']).toBeUndefined()
    const elsewhere = `/work_orders/${(await createWorkOrder(admin.api)).id}/comments`
    const answer = await admin.api.post(elsewhere, { markdown_content: 'shared' }, { 'idempotency-key': 'k3' })
    expect([answer.status, answer.headers['idempotency-replayed']]).toEqual([201, undefined])
  })

  test('can be reused after a refusal that came before the operation', async () => {
    expect((await admin.api.post(path, { markdown_content: 1 }, { 'idempotency-key': 'k4' })).status).toBe(422)
    expect((await comment('corrected', 'k4')).status).toBe(201)
  })

  test('replays a refusal by the operation itself', async () => {
    const nowhere = '/work_orders/019a84d2-7c5e-7b31-9a60-2f4f5f6f7a81/comments'
    const send = () => admin.api.post(nowhere, { markdown_content: 'x' }, { 'idempotency-key': 'k5' })
    const [first, again] = [await send(), await send()]
    expect([first.status, again.status, again.headers['idempotency-replayed']]).toEqual([404, 404, 'true'])
    expect(again.headers['content-type']).toContain('problem+json')
    expect(again.body).toEqual(first.body)
  })

  test('that is empty or too long is a 422', async () => {
    expect((await comment('x', '')).status).toBe(422)
    expect((await comment('x', 'k'.repeat(256))).status).toBe(422)
    expect((await comment('x', 'k'.repeat(255))).status).toBe(201)
  })

  test('sent many times at once runs once; the other requests get a 409 or the response', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => comment('at once', 'k6')))
    for (const { status } of answers) expect([201, 409]).toContain(status)
    expect(answers.filter(({ status }) => status === 201).length).toBeGreaterThan(0)
    expect((await texts()).filter((text: string) => text === 'at once')).toHaveLength(1)
  })

  test('of a request that is still running is a 409', async () => {
    const [, , workOrderId] = path.split('/')
    let release = () => {}
    let held: Promise<unknown> = Promise.resolve()
    await new Promise<void>((locked) => {
      held = inTransaction({ db: workspace.sql }, async ({ db: tx }) => {
        await tx`select 1 from work_orders where id = ${workOrderId!} for update`
        await new Promise<void>((resolve) => {
          release = resolve
          locked()
        })
      })
    })
    const running = comment('slow', 'k7')
    // The session that waits for the row holds the lock of the key. Others may hold unrelated advisory locks.
    await eventually(
      async () =>
        (
          await workspace.sql`select 1 from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'`
        ).length > 0,
    )
    const second = await comment('slow', 'k7')
    expect(second).toMatchObject({ status: 409, body: { code: 'idempotency_in_flight' } })
    release()
    await held
    expect((await running).status).toBe(201)
  })

  test('is forgotten after a day', async () => {
    await comment('old', 'k8')
    await workspace.sql`update replays set created_at = now() - interval '25 hours' where key = 'k8'`
    expect((await comment('new', 'k8')).status).toBe(201)
    expect((await comment('new', 'k8')).headers['idempotency-replayed']).toBe('true')
  })
})
