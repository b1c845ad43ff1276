import { describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import { eventually } from '../../test/harness.ts'
import {
  dataFolder,
  externalKey,
  knownKeys,
  openPool,
  type RunningServer,
  startServer,
} from '../../test/process/running-server.ts'
import { openEditor } from './live.factory.ts'

async function addBlueprint(server: RunningServer, markdown: string): Promise<string> {
  const { body } = await server.client().post('/blueprints', { title: 'Live', markdown_content: markdown })
  return body.data.id
}

const contentOf = async (server: RunningServer, id: string): Promise<string> =>
  (await server.client().get(`/blueprints/${id}`)).body.data.markdown_content

const open = (server: RunningServer, id: string, shared = new Y.Doc()) =>
  openEditor({ url: `ws://127.0.0.1:${server.port}/collab`, token: externalKey, name: `blueprint/${id}`, shared })

describe('typed text', () => {
  test('survives kill -9 a second later, and later text comes back with the editor', async () => {
    const dataDir = dataFolder()
    const server = await startServer({ dataDir, env: knownKeys })
    const id = await addBlueprint(server, 'one\n\n* two\n')
    const shared = new Y.Doc()
    const before = open(server, id, shared)
    await eventually(() => before.provider.isSynced)
    before.type(0, ' typed')
    const pool = openPool(dataDir)
    await eventually(async () => {
      const { rows } = await pool.query('select markdown_content from documents where id = $1', [id])
      return rows[0].markdown_content.includes('typed')
    })
    await pool.end()
    before.type(0, ' and unsaved')
    process.kill(server.pid, 'SIGKILL')
    await server.exited
    before.disconnect()

    const next = await startServer({ dataDir, env: knownKeys })
    expect(await contentOf(next, id)).toMatch(/^one typed( and unsaved)?\n\n\* two\n$/)
    const after = open(next, id, shared)
    await eventually(async () => (await contentOf(next, id)) === 'one typed and unsaved\n\n* two\n')
    await eventually(() => after.text() === 'one typed and unsaved\ntwo')
  })

  test('is stored if the server stops a moment later', async () => {
    const dataDir = dataFolder()
    const server = await startServer({ dataDir, env: knownKeys })
    const id = await addBlueprint(server, 'one\n')
    const person = open(server, id)
    await eventually(() => person.provider.isSynced)
    person.type(0, ' typed')
    await eventually(person.isSent)
    process.kill(server.pid, 'SIGTERM')
    expect(await server.exited).toEqual({ code: 0, signal: null })
    person.disconnect()
    const next = await startServer({ dataDir, env: knownKeys })
    expect(await contentOf(next, id)).toBe('one typed\n')
  })
})
