import { describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import { eventually } from '../../../test/harness.ts'
import {
  dataFolder,
  externalKey,
  knownKeys,
  openPool,
  type RunningServer,
  startServer,
} from '../../../test/process/running-server.ts'
import { openEditor } from './live.factory.ts'

interface Kind {
  name: string
  path: string
  table: string
}
const BLUEPRINT = { name: 'blueprint', path: '/blueprints', table: 'documents' }
const ARTIFACT = { name: 'artifact', path: '/artifacts', table: 'artifacts' }

async function add(server: RunningServer, { path }: Kind, markdown: string): Promise<string> {
  const named = { title: 'Live', name: 'Live' }
  const { body } = await server.client().post(path, { ...named, markdown_content: markdown })
  return body.data.id
}

const contentOf = async (server: RunningServer, { path }: Kind, id: string): Promise<string> =>
  (await server.client().get(`${path}/${id}`)).body.data.markdown_content

const open = (server: RunningServer, { name }: Kind, id: string, shared = new Y.Doc()) =>
  openEditor({ url: `ws://127.0.0.1:${server.port}/collab`, token: externalKey, name: `${name}/${id}`, shared })

describe('typed text', () => {
  test('survives kill -9 a second later, and later text comes back with the editor', async () => {
    const dataDir = dataFolder()
    const server = await startServer({ dataDir, env: knownKeys })
    const pool = openPool(dataDir)
    const opened = await Promise.all(
      [BLUEPRINT, ARTIFACT].map(async (kind) => {
        const id = await add(server, kind, 'one\n\n* two\n')
        const shared = new Y.Doc()
        const before = open(server, kind, id, shared)
        await eventually(() => before.provider.isSynced)
        before.type(0, ' typed')
        await eventually(async () => {
          const { rows } = await pool.query(`select markdown_content from ${kind.table} where id = $1`, [id])
          return rows[0].markdown_content.includes('typed')
        })
        return { kind, id, shared, before }
      }),
    )
    await pool.end()
    for (const { before } of opened) before.type(0, ' and unsaved')
    process.kill(server.pid, 'SIGKILL')
    await server.exited
    for (const { before } of opened) before.disconnect()

    const next = await startServer({ dataDir, env: knownKeys })
    for (const { kind, id, shared } of opened) {
      expect(await contentOf(next, kind, id)).toMatch(/^one typed( and unsaved)?\n\n\* two\n$/)
      const after = open(next, kind, id, shared)
      await eventually(async () => (await contentOf(next, kind, id)) === 'one typed and unsaved\n\n* two\n')
      await eventually(() => after.text() === 'one typed and unsaved\ntwo')
    }
  })

  test('is stored if the server stops a moment later', async () => {
    const dataDir = dataFolder()
    const server = await startServer({ dataDir, env: knownKeys })
    const id = await add(server, BLUEPRINT, 'one\n')
    const person = open(server, BLUEPRINT, id)
    await eventually(() => person.provider.isSynced)
    person.type(0, ' typed')
    await eventually(person.isSent)
    process.kill(server.pid, 'SIGTERM')
    expect(await server.exited).toEqual({ code: 0, signal: null })
    person.disconnect()
    const next = await startServer({ dataDir, env: knownKeys })
    expect(await contentOf(next, BLUEPRINT, id)).toBe('one typed\n')
  })
})
