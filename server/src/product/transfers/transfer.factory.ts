import { expect } from 'vitest'
import type { Client, Workspace } from '../../../test/harness.ts'
import { RUN_TRANSFER } from './run.ts'

const BOUNDARY = 'slipway-test'
export const multipart = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }

export const formOf = (name: string, bytes: Buffer | string, fields: Record<string, string> = {}): Buffer =>
  Buffer.concat([
    ...Object.entries(fields).map(([field, value]) =>
      Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`),
    ),
    Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n`),
    Buffer.from(bytes),
    Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
  ])

/** Does what the worker would do. */
export async function runTransfers({ sql, deps }: Workspace, projectId: string): Promise<void> {
  const waiting = await sql<{ id: string }[]>`
    select id from transfers where project_id = ${projectId} and state in ('waiting', 'running')`
  for (const { id } of waiting) await deps.wiring.jobs.get(RUN_TRANSFER)!.run({ projectId, id }, deps)
}

/** The export of a project. */
export async function exported(ws: Workspace, api: Client): Promise<Buffer> {
  const started = await api.post('/exports')
  expect(started.status, started.text).toBe(202)
  const [row] = await ws.sql<{ projectId: string }[]>`
    select project_id as "projectId" from transfers where id = ${started.body.data.id}`
  await runTransfers(ws, row!.projectId)
  const { body } = await api.get(`/exports/${started.body.data.id}`)
  expect(body.data).toMatchObject({ state: 'done', error: null })
  const content = await api.get(`/exports/${started.body.data.id}/content`)
  expect(content.status).toBe(200)
  return content.bytes
}
