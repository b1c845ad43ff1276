import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually, openWorkspace, type Workspace } from '../../../../test/harness.ts'
import { addUser } from '../../../product/accounts/index.ts'
import { type Person, signedIn } from '../../../product/conversations/person.factory.ts'
import { addMember, loadProject, operatorCtx } from '../../../product/projects/index.ts'
import { PASSWORD } from '../visitor.factory.ts'
import { openTab, startNode, type Tab } from './stream.factory.ts'

let workspace: Workspace
let ada: Person
let grace: Pick<Person, 'cookie' | 'projectId' | 'userId'>
beforeAll(async () => {
  workspace = await openWorkspace()
  ada = await signedIn(workspace)
  grace = await join('Grace Hopper', ada)
})
afterAll(() => workspace.close())

/** Adds a person to the project of another and signs them in. */
async function join(name: string, { projectId, url }: Person) {
  const project = await loadProject(workspace.sql, projectId)
  const operator = operatorCtx({ ...workspace.deps, db: workspace.sql }, project)
  const email = `${name.replace(' ', '.').toLowerCase()}@example.org`
  const { organizationId } = project
  const user = await addUser(workspace.operator, { email, name, organizationId, role: 'member', password: PASSWORD })
  await addMember(operator, user.id, 'viewer')
  const answer = await fetch(`${url}/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: PASSWORD }),
  })
  const cookie = answer.headers.getSetCookie().map((one) => one.split(';')[0])
  return { cookie: cookie.join('; '), projectId, userId: user.id }
}

const pagesIn = (tab: Tab) => {
  const last = tab.events.findLast(({ event }) => event === 'presence')?.data
  return last && Object.fromEntries(last.people.map((one: { name: string; page: string }) => [one.name, one.page]))
}

test('people on different nodes see each other come, move and leave', async () => {
  const other = await startNode(workspace)
  const first = await openTab(ada, ada.node, { tab: 'a', page: 'work-orders' })
  expect(first.events.filter(({ event }) => event === 'presence')).toEqual([])
  const second = await openTab(grace, other, { tab: 'g', page: 'work-orders/7' })
  for (const tab of [first, second]) {
    await eventually(() => pagesIn(tab)?.['Grace Hopper'] === 'work-orders/7')
    await eventually(() => pagesIn(tab)?.Talker === 'work-orders')
  }
  const moved = await fetch(`${ada.url}/presence`, {
    method: 'POST',
    headers: { cookie: grace.cookie, 'x-project-id': grace.projectId, 'content-type': 'application/json' },
    body: JSON.stringify({ tab: 'g', page: 'requirements' }),
  })
  expect(moved.status).toBe(204)
  await eventually(() => pagesIn(first)?.['Grace Hopper'] === 'requirements')
  second.close()
  await eventually(() => Object.keys(pagesIn(first)).length === 1, 20_000)
  expect(pagesIn(first)).toEqual({ Talker: 'work-orders' })
})

test('a stream without a tab, and a person of another project, are not shown', async () => {
  const stranger = await signedIn(workspace)
  const tab = await openTab(ada, ada.node, { tab: 'a2' })
  await openTab(stranger, ada.node, { tab: 's' })
  await openTab(grace, ada.node)
  const shown = await openTab(grace, ada.node, { tab: 'g2' })
  await eventually(() => Object.keys(pagesIn(tab) ?? {}).length === 2)
  expect(Object.keys(pagesIn(shown)).sort()).toEqual(['Grace Hopper', 'Talker'])
})
