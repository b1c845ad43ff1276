import { Type } from 'typebox'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { slices } from '../../src/app.ts'
import { defineTool, type Slice, wire } from '../../src/kernel/slice.ts'
import { uuidv7 } from '../../src/kernel/uuid.ts'
import { runAgent } from '../../src/product/conversations/index.ts'
import { scriptedModel } from '../../src/product/conversations/scripted-model.factory.ts'
import { settingsWith } from '../../src/product/conversations/turns/agent.factory.ts'
import { feedbackProject, submitItem } from '../../src/product/feedback/feedback.factory.ts'
import { triageItem } from '../../src/product/feedback/index.ts'
import { addProject } from '../../src/product/projects/index.ts'
import { openWorkspace, type Workspace } from '../harness.ts'

const talkative: Slice = {
  name: 'talkative',
  during: { 'theme.created': async (ctx) => ctx.log.info('a theme was made') },
  onProjectCreated: async (ctx) => ctx.log.info('a project was made'),
  tools: [
    defineTool({
      name: 'break_down',
      domain: 'work_orders',
      kind: 'view',
      description: 'Fails.',
      input: Type.Object({}),
      run: () => Promise.reject(new Error('broken')),
    }),
  ],
}

let said: unknown[] = []
const note = (...words: unknown[]) => void said.push(words.at(-1))
const log = { info: note, warn: note, error: note }
let workspace: Workspace
beforeAll(async () => {
  workspace = await openWorkspace({ slices: [...slices, talkative] })
})
beforeEach(() => {
  said = []
})
afterAll(() => workspace.close())

test('background work logs to the log of the service', async () => {
  const { organizationId } = await workspace.project()
  await addProject({ ...workspace.deps, db: workspace.sql, log }, { name: 'Another', organizationId })
  expect(said).toEqual(['a project was made'])
})

test('feedback triage logs there too', async () => {
  const { project, admin, api, reporter } = await feedbackProject(workspace)
  const { id: itemId } = await submitItem(api, reporter)
  const request = { projectId: project.id, itemId, ownerId: admin.userId, runId: uuidv7() }
  await triageItem({ ...workspace.deps, log }, request)
  expect(said).toEqual(['a theme was made'])
})

test('agents log failed tools and failed turns there too', async () => {
  const project = await workspace.project()
  const model = await scriptedModel()
  model.script({ calls: [{ name: 'break_down' }] }, { text: 'It is broken.' })
  const wiring = wire([...slices, talkative], settingsWith({ model: model.settings() }))
  const request = {
    projectId: project.id,
    ownerId: project.admin.userId,
    origin: 'user' as const,
    title: 'A title',
    prompt: 'Do it.',
    toolKit: {},
    integrationIds: [],
    model: null,
  }
  expect((await runAgent({ ...workspace.deps, wiring, log }, request)).status).toBe('succeeded')
  expect(said).toEqual(['a tool failed'])

  const tools = new Map([...wiring.tools, ['no tool at all', undefined as never]])
  const outcome = await runAgent({ ...workspace.deps, wiring: { ...wiring, tools }, log }, request)
  expect(outcome.error).toBe('Something went wrong on the server; it was logged.')
  expect(said).toEqual(['a tool failed', 'a turn broke'])
})
