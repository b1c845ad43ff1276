import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually, openWorkspace, type Workspace } from '../../../../test/harness.ts'
import { eventsOf, json, signedIn } from '../person.factory.ts'
import { type Reply, scriptedModel } from '../scripted-model.factory.ts'
import { runFor } from './agent.factory.ts'

let workspace: Workspace
beforeAll(async () => {
  workspace = await openWorkspace()
})
afterAll(() => workspace.close())

const LEFT = 'Its owner is no longer a member of the project.'
const create = (title: string): Reply => ({ calls: [{ name: 'create_work_order', input: { title } }] })

const remove = (projectId: string, userId: string) =>
  workspace.sql`delete from project_members where project_id = ${projectId} and user_id = ${userId}`

/** A member whose agent works while something happens to them. */
async function member() {
  const project = await workspace.project()
  const someone = await project.join('editor')
  const model = await scriptedModel()
  const run = () => runFor(workspace, project, someone, { model: model.settings() })
  const titles = async () =>
    (await project.admin.api.get('/work_orders')).body.items.map((one: { title: string }) => one.title)
  return { project, someone, model, run, titles }
}

describe('the agent of a member who was removed', () => {
  test('uses no tool that it asked for before', async () => {
    const { project, someone, model, run, titles } = await member()
    model.script(create('Before'), async () => {
      await remove(project.id, someone.userId)
      return create('After')
    })
    expect(await run()).toMatchObject({ status: 'failed', error: LEFT })
    expect(await titles()).toEqual(['Before'])
    expect(model.asked).toHaveLength(2)
  })

  test('is asked nothing more', async () => {
    const { project, someone, model, run } = await member()
    model.script(async () => {
      await remove(project.id, someone.userId)
      return { calls: [{ name: 'list_members' }] }
    })
    expect(await run()).toMatchObject({ status: 'failed', error: LEFT })
    expect(model.asked).toHaveLength(1)
  })

  test('is stopped while it talks', async () => {
    const { project, someone, model, run } = await member()
    model.script({ silent: true, after: 'I will now ' })
    const outcome = run()
    await eventually(() => model.asked.length > 0)
    await remove(project.id, someone.userId)
    expect(await outcome).toMatchObject({ status: 'failed', error: LEFT })
  })

  test('ends with the project', async () => {
    const { project, model, run } = await member()
    model.script(async () => {
      await workspace.sql`delete from projects where id = ${project.id}`
      return create('After')
    })
    expect(await run()).toMatchObject({ status: 'failed' })
    expect(model.asked).toHaveLength(1)
  })
})

test('the agent of a member who has become a viewer only reads from then on', async () => {
  const { project, someone, model, run, titles } = await member()
  model.script(
    create('Before'),
    async () => {
      await workspace.sql`update project_members set role = 'viewer'
        where project_id = ${project.id} and user_id = ${someone.userId}`
      return create('After')
    },
    { calls: [{ name: 'list_work_orders' }] },
    { text: 'I may not.' },
  )
  expect(await run()).toMatchObject({ status: 'succeeded' })
  expect(await titles()).toEqual(['Before'])
  expect(model.asked[2]!.messages.at(-1)!.content).toContain('A viewer may read this project')
  expect(model.asked[3]!.messages.at(-1)!.content).toContain('"Before"')
})

test('a stream closes when its reader is removed from the project', async () => {
  const model = await scriptedModel()
  model.script({ silent: true, after: 'I will now ' })
  const someone = await signedIn(workspace, model)
  const { data } = await json(someone.call('POST', '/agent_conversations', { message: 'Count to a million.' }))
  const stream = eventsOf(someone.call('GET', `/agent_conversations/${data.id}/stream`))
  await eventually(() => model.asked.length > 0)
  await remove(someone.projectId, someone.userId)
  expect((await stream).map((one) => one.event)).not.toContain('end')
  expect((await someone.call('GET', `/agent_conversations/${data.id}/stream`)).status).toBe(404)
})
