import { afterAll, beforeAll, expect, test } from 'vitest'
import { addUser } from '../../src/product/accounts/index.ts'
import { addMember } from '../../src/product/projects/index.ts'
import { type Member, openWorkspace, type Workspace } from '../harness.ts'

let workspace: Workspace
let admin: Member
beforeAll(async () => {
  workspace = await openWorkspace()
  const project = await workspace.project()
  admin = project.admin
  for (const [name, email] of [
    ['Zoë Ångström', 'zoe@example.org'],
    ['ada Lovelace', 'ada@example.org'],
    ['Bob 100%', 'bob_x@example.org'],
  ] as const) {
    const user = await addUser(workspace.operator, {
      name,
      email,
      organizationId: project.organizationId,
      role: 'member',
    })
    await addMember(project.operator, user.id, 'editor')
  }
  await workspace.project()
})
afterAll(() => workspace.close())

const names = async (query: string) =>
  (await admin.api.get(`/users${query}`)).body.items.map((one: { display_name: string }) => one.display_name)

test('lists the members of this project only, by display name', async () => {
  const { body } = await admin.api.get('/users')
  expect(body).toMatchObject({ total: 4, page: 1, page_size: 20, total_pages: 1 })
  expect(body.items[0]).toEqual({
    object: 'user',
    id: expect.any(String),
    display_name: 'ada Lovelace',
    email: 'ada@example.org',
  })
  expect(await names('')).toEqual(['ada Lovelace', 'Bob 100%', admin.name, 'Zoë Ångström'])
})

test('finds part of a name or email, ignoring case, and treats wildcards literally', async () => {
  expect(await names('?search=LOVE')).toEqual(['ada Lovelace'])
  expect(await names('?search=ZOË')).toEqual(['Zoë Ångström'])
  expect(await names('?search=bob_x')).toEqual(['Bob 100%'])
  expect(await names('?search=0%25')).toEqual(['Bob 100%'])
  expect(await names('?search=b%25b')).toEqual([])
  expect(await names('?search=')).toHaveLength(4)
})

test('pages with links and returns an empty page past the end', async () => {
  const second = await admin.api.get('/users?page=2&page_size=2&search=example')
  expect(second.body).toMatchObject({ total: 4, page: 2, page_size: 2, total_pages: 2 })
  const base = 'http://slipway.test/v2/external-api/users?search=example&page='
  expect(second.headers.link).toBe(
    `<${base}1&page_size=2>; rel="first", <${base}1&page_size=2>; rel="prev", <${base}2&page_size=2>; rel="last"`,
  )
  expect((await admin.api.get('/users?page=1&page_size=3')).headers.link).toContain('page=2&page_size=3>; rel="next"')
  const past = await admin.api.get('/users?page=99')
  expect([past.status, past.body.items, past.body.total]).toEqual([200, [], 4])
  expect((await admin.api.get('/users?search=nobody')).body).toMatchObject({ total: 0, total_pages: 0, items: [] })
})

test('refuses invalid page parameters', async () => {
  for (const query of [
    'page=0',
    'page=-1',
    'page=x',
    'page=1.5',
    'page_size=0',
    'page_size=101',
    'page_size=ten',
    'page=1&page=2',
  ])
    expect((await admin.api.get(`/users?${query}`)).status, query).toBe(422)
})
