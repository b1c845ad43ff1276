import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Answer } from '../../../../test/harness.ts'
import { openWorkspace, type Workspace } from '../../../../test/harness.ts'
import { slices } from '../../../app.ts'
import { type Asked, scriptedModel } from '../scripted-model.factory.ts'
import { TOOL_DOMAINS } from '../tool-kit.ts'
import { runFor } from '../turns/agent.factory.ts'
import { modelSchema } from './model-schema.ts'

let workspace: Workspace
beforeAll(async () => {
  workspace = await openWorkspace()
})
afterAll(() => workspace.close())

const tools = slices.flatMap((slice) => slice.tools ?? [])

type Project = Awaited<ReturnType<Workspace['project']>>

/** Lets a model make calls one after the other, each made from what the ones before returned. */
async function use(project: Project, calls: [name: string, input: (results: unknown[]) => object][]) {
  const model = await scriptedModel()
  const resultsOf = ({ messages }: Asked) =>
    messages.filter((one) => one.role === 'tool').map((one) => JSON.parse(String(one.content)))
  model.script(
    ...calls.map(([name, input]) => (asked: Asked) => ({ calls: [{ name, input: input(resultsOf(asked)) }] })),
    { text: 'Done.' },
  )
  const outcome = await runFor(workspace, project, project.admin, { model: model.settings() })
  return { outcome, results: resultsOf(model.asked.at(-1)!) }
}

describe('the tools', () => {
  test('have names of their own, and domains that a kit can restrict', () => {
    expect(new Set(tools.map((tool) => tool.name)).size).toBe(tools.length)
    for (const { name, domain } of tools) {
      expect(name).toMatch(/^[a-z_]{1,64}$/)
      expect([...TOOL_DOMAINS, 'users']).toContain(domain)
    }
  })

  test.each(TOOL_DOMAINS)('let an agent see, make, change and remove what is in %s', (domain) => {
    const kinds = new Set(tools.filter((tool) => tool.domain === domain).map((tool) => tool.kind))
    if (domain === 'automations') expect(kinds).toContain('view')
    else expect([...kinds].sort()).toEqual(['create', 'delete', 'edit', 'view'])
  })

  test('are described to models in plain JSON schema, without what has a default being required', () => {
    for (const tool of tools) {
      const text = JSON.stringify(modelSchema(tool.input))
      expect(text, tool.name).not.toMatch(/"x-|"examples"|"format":"text"|"~/)
    }
    const list = modelSchema(tools.find((tool) => tool.name === 'list_work_orders')!.input)
    expect(list).toMatchObject({ type: 'object' })
    expect((list as { required?: string[] }).required ?? []).toEqual([])
  })

  test('of feedback sort an item into a theme', async () => {
    const project = await workspace.project()
    const reporter = await project.join('editor', 'reporting')
    const reported: Answer = await workspace
      .client(reporter.key)
      .post('/v2/reporting-api/feedback', { end_user_email: 'c@example.org', content: 'The total is off. By a cent.' })
    expect(reported.status).toBe(201)
    const theme = { title: 'Totals are off', type: 'bug', priority: 'high', description: 'Rounding.' }
    const { outcome, results } = await use(project, [
      ['list_feedback_items', () => ({ status: 'to_process' })],
      ['get_feedback_item', (got) => ({ feedback_item_id: itemOf(got) })],
      ['search_themes', () => ({ query: 'total off' })],
      ['create_theme', () => theme],
      [
        'link_feedback_item',
        (got) => ({ theme_id: themeOf(got), feedback_item_id: itemOf(got), text_excerpt: 'By a cent.' }),
      ],
      ['get_theme', (got) => ({ theme_id: themeOf(got) })],
    ])
    expect(outcome.status).toBe('succeeded')
    expect(results[5]).toMatchObject({ ...theme, quote_count: 1, edited_by_person: false })
    expect(outcome.changes.map(({ action, resourceType }) => `${resourceType} ${action}`)).toContain('theme created')
    const item = (await project.admin.api.get(`/feedback/items/${itemOf(results)}`)).body.data
    expect(item.status).toBe('processed')
  })
  const itemOf = (got: unknown[]) => (got[0] as { items: { id: string }[] }).items[0]!.id
  const themeOf = (got: unknown[]) => (got[3] as { id: string }).id

  test('of artifacts keep documents and folders', async () => {
    const project = await workspace.project()
    const { outcome, results } = await use(project, [
      ['create_artifact', () => ({ name: 'Research', type: 'folder' })],
      ['create_artifact', (got) => ({ name: 'a.md', markdown_content: '# A\n', parent_id: idOf(got, 0) })],
      ['update_artifact', (got) => ({ artifact_id: idOf(got, 1), name: 'b.md', markdown_content: '# B\n' })],
      ['list_artifacts', () => ({ folder_path: 'Research' })],
      ['delete_artifact', (got) => ({ artifact_id: idOf(got, 0) })],
      ['create_artifact', () => ({ name: 'with/slash.md' })],
    ])
    expect(results[2]).toMatchObject({ name: 'b.md', markdown_content: '# B\n', folder_path: 'Research' })
    expect((results[3] as { total: number }).total).toBe(1)
    expect(results[5]).toMatchObject({ detail: expect.stringContaining('slash') })
    expect(outcome.changes.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['created', 'updated', 'deleted']),
    )
    expect((await project.admin.api.get('/artifacts')).body.total).toBe(0)
  })
  const idOf = (got: unknown[], at: number) => (got[at] as { id: string }).id

  test('of work orders change what is given and say what is wrong', async () => {
    const project = await workspace.project()
    const { results } = await use(project, [
      ['create_work_order', () => ({ title: 'One' })],
      [
        'update_work_order',
        (got) => ({ work_order_id: idOf(got, 0), values: { status: 'in_progress', title: 'Two' } }),
      ],
      ['update_work_order', (got) => ({ work_order_id: idOf(got, 0), values: { assignee_email: 'no@example.org' } })],
      ['comment_work_order', (got) => ({ work_order_id: idOf(got, 0), markdown_content: 'Begun.' })],
      ['list_work_orders', () => ({ status: ['in_progress'] })],
    ])
    expect(results[1]).toMatchObject({ status: 'in_progress', title: 'Two' })
    expect(results[2]).toMatchObject({ error: 'refused', detail: 'No member of this project is "no@example.org".' })
    expect((results[4] as { total: number }).total).toBe(1)
  })

  test('of work orders leave nothing that only a repeated request needs', async () => {
    const project = await workspace.project()
    const { results } = await use(project, [['create_work_order', () => ({ title: 'One' })]])
    expect(results[0]).toMatchObject({ title: 'One' })
    expect(await workspace.sql`select from replays where project_id = ${project.id}`).toHaveLength(0)
  })

  test('of work orders take one name for a person, not two', async () => {
    const project = await workspace.project()
    const { email, userId } = project.admin
    const { results } = await use(project, [
      ['create_work_order', () => ({ title: 'One', assignee_id: userId, assignee_email: email })],
      ['update_work_order', () => ({ work_order_id: userId, values: { title: 'Two' } })],
    ])
    expect(results[0]).toMatchObject({ error: 'refused', detail: expect.stringContaining('only one of') })
    expect(results[1]).toMatchObject({ error: 'not_found', detail: expect.stringContaining(userId) })
  })
})
