import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually, openWorkspace, type Workspace } from '../../../test/harness.ts'
import { json, type Person, signedIn } from '../../product/conversations/person.factory.ts'
import { openEditor } from '../../product/live-texts/live.factory.ts'

let workspace: Workspace
let person: Person
let id: string
beforeAll(async () => {
  workspace = await openWorkspace()
  person = await signedIn(workspace)
  id = await newRequirement('A code.\n')
})
afterAll(() => workspace.close())

async function newRequirement(markdown: string): Promise<string> {
  const fields = { title: 'Sign in', document_type: 'FEATURE', markdown_content: markdown }
  return (await json(person.call('POST', '/requirements', fields))).data.id
}

const contentOf = async (of: string) =>
  (await json(person.call('GET', `/requirements/${of}`))).data.markdown_content as string

interface Attempt {
  cookie?: string
  origin?: string | undefined
  projectId?: string
}

/** Opens a document as a page does: with the cookie and the origin, and without a key. */
function open(of: string, attempt: Attempt = {}) {
  const host = `127.0.0.1:${(person.node.server.address() as AddressInfo).port}`
  const { cookie = person.cookie, projectId = person.projectId } = attempt
  const origin = 'origin' in attempt ? attempt.origin : `http://${host}`
  const headers = { cookie, ...(origin && { origin }) }
  const url = `ws://${host}/collab?project_id=${projectId}`
  return openEditor({ url, headers, name: `requirements_document/${of}` })
}

test('a signed-in person edits a document in their own name', async () => {
  const editor = open(id)
  await eventually(() => editor.provider.isSynced)
  editor.type(0, ' By e-mail.')
  await eventually(async () => (await contentOf(id)) === 'A code. By e-mail.\n')
  const [version] = (await json(person.call('GET', `/requirements/${id}/versions`))).items
  expect(version.attribution).toMatchObject({ origin_type: 'user', user_id: person.userId })
})

test('a page of another site, no origin, a stranger and nobody get the same refusal', async () => {
  const stranger = await signedIn(workspace)
  const attempts = [
    open(id, { origin: 'https://evil.example.org' }),
    open(id, { origin: undefined }),
    open(id, { origin: 'null' }),
    open(id, { cookie: stranger.cookie }),
    open(id, { projectId: stranger.projectId }),
    open(id, { projectId: 'x' }),
    open(id, { cookie: '' }),
  ]
  await eventually(() => attempts.every((attempt) => attempt.refusal() !== undefined))
  expect(new Set(attempts.map((attempt) => attempt.refusal()))).toEqual(new Set(['permission-denied']))
  for (const attempt of attempts) expect([attempt.text(), attempt.provider.isSynced]).toEqual(['', false])
})

test('a viewer can only read, also if they become one while the document is open', async () => {
  const other = await newRequirement('One.\n')
  const editor = open(other)
  await eventually(() => editor.provider.isSynced)
  await workspace.sql`update project_members set role = 'viewer'
    where user_id = ${person.userId} and project_id = ${person.projectId}`
  let typed = 0
  await eventually(async () => {
    editor.type(0, `<${++typed}>`)
    await eventually(() => !editor.provider.hasUnsyncedChanges, 200).catch(() => undefined)
    return editor.provider.hasUnsyncedChanges
  }, 10_000)
  expect(await contentOf(other)).not.toContain(`<${typed}>`)
  const reader = open(other)
  await eventually(() => reader.provider.isSynced)
  expect(reader.provider.authorizedScope).toBe('readonly')
  await workspace.sql`update project_members set role = 'editor'
    where user_id = ${person.userId} and project_id = ${person.projectId}`
})

test('signing out closes the documents of the session within a few seconds', async () => {
  const editor = open(id)
  await eventually(() => editor.provider.isSynced)
  await person.call('DELETE', '/session')
  await eventually(() => editor.closeCode() === 4401, 10_000)
})
