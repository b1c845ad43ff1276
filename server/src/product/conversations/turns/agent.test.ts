import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openWorkspace, type Workspace } from '../../../../test/harness.ts'
import { uuidv7 } from '../../../kernel/uuid.ts'
import { scriptedModel } from '../scripted-model.factory.ts'
import { runFor } from './agent.factory.ts'

let workspace: Workspace
beforeAll(async () => {
  workspace = await openWorkspace()
})
afterAll(() => workspace.close())

describe('an agent', () => {
  test('uses tools with the rights of its owner, and what it changed is listed', async () => {
    const project = await workspace.project()
    const model = await scriptedModel()
    model.script(
      { text: 'I look first.', calls: [{ name: 'list_work_orders' }] },
      { calls: [{ name: 'create_work_order', input: { title: 'Round the total', priority: 'high' } }] },
      { text: 'I made a work order.' },
    )
    const outcome = await runFor(workspace, project, project.admin, { model: model.settings() })
    expect(outcome).toMatchObject({
      status: 'succeeded',
      error: null,
      model: 'scripted',
      inputTokens: 300,
      outputTokens: 60,
    })
    expect(outcome.changes).toEqual([
      { action: 'created', resourceType: 'work_order', resourceId: expect.any(String), title: 'Round the total' },
    ])
    const made = await project.admin.api.get(`/work_orders/${outcome.changes[0]!.resourceId}`)
    expect(made.body.data).toMatchObject({ title: 'Round the total', priority: 'high' })

    const { body } = await project.admin.api.get(`/agent_conversations/${outcome.conversationId}`)
    expect(body.data).toMatchObject({
      object: 'agent_conversation',
      origin: 'user',
      title: 'A title',
      automation: null,
    })
    expect(body.data.content.map((one: { role: string; text: string }) => [one.role, one.text])).toEqual([
      ['user', 'Do it.'],
      ['assistant', 'I look first.'],
      ['assistant', 'I made a work order.'],
    ])
    expect(body.data.content.map((one: { is_final: boolean }) => one.is_final)).toEqual([true, false, true])
    expect(body.data.active_turn).toEqual({
      object: 'agent_conversation_active_turn',
      is_active: false,
      started_at: null,
    })
  })

  test('is told what its tools returned, and knows their inputs', async () => {
    const project = await workspace.project()
    const model = await scriptedModel()
    model.script(
      { calls: [{ name: 'search_requirements_documents', input: { query: 'Personas' } }] },
      { text: 'Found.' },
    )
    await runFor(workspace, project, project.admin, { model: model.settings() })
    const second = model.asked[1]!.messages
    expect(second.at(-1)).toMatchObject({ role: 'tool' })
    expect(JSON.stringify(second.at(-1)!.content)).toContain('Personas')
    const offered = model.asked[0]!.tools!.find((one) => one.function.name === 'update_work_order')!
    expect(offered.function.parameters).toMatchObject({ type: 'object', required: ['work_order_id', 'values'] })
    expect(model.asked[0]!.authorization).toBe('Bearer sk-test-of-the-model')
  })

  test('writes documents under the origin that asked for it', async () => {
    const project = await workspace.project()
    const { body } = await project.admin.api.post('/requirements', { title: 'Sign in', document_type: 'FEATURE' })
    const id = body.data.id
    for (const [origin, shown] of [
      ['user', 'agent'],
      ['automation', 'automation'],
    ] as const) {
      const model = await scriptedModel()
      const input = { id, markdown_content: `By ${origin}.\n` }
      model.script({ calls: [{ name: 'write_requirements_document', input }] }, { text: 'Written.' })
      const outcome = await runFor(workspace, project, project.admin, { model: model.settings() }, { origin })
      expect(outcome.changes).toEqual([
        { action: 'updated', resourceType: 'requirements_document', resourceId: id, title: 'Sign in' },
      ])
      const versions = await project.admin.api.get(`/requirements/${id}/versions`)
      expect(versions.body.items[0].attribution).toMatchObject({ origin_type: shown, user_id: project.admin.userId })
    }
  })

  test('leaves the name of the run it belongs to on all it changes, and a subagent does too', async () => {
    const project = await workspace.project()
    const model = await scriptedModel()
    model.script(
      { calls: [{ name: 'create_work_order', input: { title: 'Own' } }] },
      { calls: [{ name: 'delegate', input: { title: 'Part', task: 'Make one.' } }] },
      { calls: [{ name: 'create_work_order', input: { title: 'Delegated' } }] },
      { text: 'Made.' },
      { text: 'Done.' },
    )
    const automation = { id: uuidv7(), name: 'Nightly', runId: uuidv7() }
    const request = { origin: 'automation' as const, automation }
    await runFor(workspace, project, project.admin, { model: model.settings() }, request)
    const events = await workspace.sql`
      select origin, payload->>'title' as title from events
      where project_id = ${project.id} and request_id = ${automation.runId} order by id`
    expect([...events]).toEqual([
      { origin: 'automation', title: 'Own' },
      { origin: 'automation', title: 'Delegated' },
    ])
  })

  test('can read, suggest, comment, rename and delete documents and work orders', async () => {
    const project = await workspace.project()
    const blueprint = (await project.admin.api.post('/blueprints', { title: 'Cart', markdown_content: 'One cart.\n' }))
      .body.data
    const gone = (await project.admin.api.post('/blueprints', { title: 'Old' })).body.data
    const model = await scriptedModel()
    model.script(
      {
        calls: [
          { name: 'get_blueprint', input: { id: blueprint.id } },
          { name: 'suggest_blueprint_change', input: { id: blueprint.id, old_text: 'One', new_text: 'Two' } },
          { name: 'comment_blueprint', input: { id: blueprint.id, message: 'Why one?' } },
          { name: 'rename_blueprint', input: { id: blueprint.id, title: 'Carts' } },
          { name: 'delete_blueprint', input: { id: gone.id } },
          { name: 'list_members' },
        ],
      },
      { text: 'Done.' },
    )
    const outcome = await runFor(workspace, project, project.admin, { model: model.settings() })
    expect(outcome.changes.map(({ action, title }) => `${action} ${title}`)).toEqual([
      'updated Carts',
      'commented Carts',
      'renamed Carts',
      'deleted Old',
    ])
    const after = (await project.admin.api.get(`/blueprints/${blueprint.id}`)).body.data
    expect(after.markdown_content).toBe('{--One--}{++Two++} cart.\n')
    expect((await project.admin.api.get(`/blueprints/${gone.id}`)).status).toBe(404)
  })

  test('hears a refusal of a tool and goes on', async () => {
    const project = await workspace.project()
    const model = await scriptedModel()
    model.script({ calls: [{ name: 'get_work_order', input: { work_order_number: 99 } }] }, { text: 'There is none.' })
    const outcome = await runFor(workspace, project, project.admin, { model: model.settings() })
    expect(outcome.status).toBe('succeeded')
    expect(JSON.stringify(model.asked[1]!.messages.at(-1))).toContain('There is no work order')
  })

  test('cannot reach what is in another project', async () => {
    const project = await workspace.project()
    const other = await workspace.project()
    const secret = (await other.admin.api.post('/blueprints', { title: 'Secret' })).body.data
    const model = await scriptedModel()
    model.script({ calls: [{ name: 'get_blueprint', input: { id: secret.id } }] }, { text: 'No.' })
    await runFor(workspace, project, project.admin, { model: model.settings() })
    const told = JSON.stringify(model.asked[1]!.messages.at(-1))
    expect(told).toContain('There is no blueprint')
    expect(told).not.toContain('Secret')
  })

  test('may delegate: the subagent has a conversation of its own, and its changes count', async () => {
    const project = await workspace.project()
    const model = await scriptedModel()
    model.script(
      { calls: [{ name: 'delegate', input: { title: 'Part', task: 'Make one.' } }] },
      (asked) => {
        expect(asked.tools!.map((one) => one.function.name)).not.toContain('delegate')
        return { calls: [{ name: 'create_work_order', input: { title: 'By another' } }] }
      },
      { text: 'Made.' },
      { text: 'All done.' },
    )
    const toolKit = { artifacts: ['cannot_view' as const] }
    const outcome = await runFor(workspace, project, project.admin, { model: model.settings() }, { toolKit })
    expect(outcome).toMatchObject({ status: 'succeeded', inputTokens: 400, outputTokens: 80 })
    expect(JSON.stringify(model.asked[1]!.tools)).not.toContain('_artifact')
    expect(outcome.changes.map(({ title }) => title)).toEqual(['By another'])
    const listed = (await project.admin.api.get('/agent_conversations')).body.items
    expect(listed.map((one: { id: string }) => one.id)).toEqual([outcome.conversationId])
    const [child] = await workspace.sql`
      select id from conversations where parent_id = ${outcome.conversationId} and origin = 'subagent'`
    const read = await project.admin.api.get(`/agent_conversations/${child!.id}`)
    expect(read.body.data).toMatchObject({ origin: 'subagent', title: 'Part' })
  })
})

describe('what an agent is kept from', () => {
  const offeredTo = async (request: object, role: 'admin' | 'viewer' = 'admin') => {
    const project = await workspace.project()
    const member = role === 'admin' ? project.admin : await project.join(role)
    const model = await scriptedModel()
    model.script({ text: 'Nothing to do.' })
    await runFor(workspace, project, member, { model: model.settings() }, request)
    // Those that are described at once, and those that can be found.
    return model.asked[0]!.tools!.flatMap(({ function: one }) =>
      one.name === 'find_tools' ? one.description.match(/[a-z_]+_[a-z_]+/g)! : [one.name],
    )
  }

  test('a domain that it cannot view is not even offered', async () => {
    const tools = await offeredTo({ toolKit: { work_orders: ['cannot_view'] } })
    expect(tools.filter((name) => /^(list|get|create|update|delete)_work_order/.test(name))).toEqual([])
    expect(tools).toContain('get_blueprint')
  })

  test.each([
    ['cannot_create', 'create_blueprint'],
    ['cannot_edit', 'write_blueprint'],
    ['cannot_delete', 'delete_blueprint'],
  ] as const)('%s takes %s away and leaves the rest', async (restriction, gone) => {
    const all = await offeredTo({})
    const left = await offeredTo({ toolKit: { blueprints: [restriction] } })
    expect(all).toContain(gone)
    expect(left).not.toContain(gone)
    expect(left).toContain('get_blueprint')
    expect(left).toContain(gone.replace('blueprint', 'requirements_document'))
  })

  test('an agent of a viewer has nothing that writes', async () => {
    const tools = await offeredTo({}, 'viewer')
    expect(tools).toContain('list_work_orders')
    expect(tools.filter((name) => /^(create|write|update|delete|rename|comment|suggest)_/.test(name))).toEqual([])
  })

  test('a tool that was not offered ends the run, and does nothing', async () => {
    const project = await workspace.project()
    const model = await scriptedModel()
    model.script({ calls: [{ name: 'create_work_order', input: { title: 'No' } }] })
    const kit = { toolKit: { work_orders: ['cannot_create' as const] } }
    const outcome = await runFor(workspace, project, project.admin, { model: model.settings() }, kit)
    expect(outcome.status).toBe('failed')
    expect(outcome.error).toBe('The model asked for the tool "create_work_order", which it was not offered.')
    expect(outcome.changes).toEqual([])
    expect((await project.admin.api.get('/work_orders')).body.total).toBe(0)
  })
})
