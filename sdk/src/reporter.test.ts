import { afterAll, beforeAll, expect, test } from 'vitest'
import { createReporter, ForbiddenError, UnauthorizedError } from './index.ts'
import { openWorkspace, startServer, type Workspace } from './running-server.factory.ts'

let workspace: Workspace
beforeAll(async () => {
  workspace = await openWorkspace()
})
afterAll(() => workspace.close())

test('a reporter submits once what is sent twice, with a file, and reads nothing', async () => {
  const { project, baseUrl, client } = await startServer(workspace)
  const { key } = await project.join('editor', 'reporting')
  const slipway = createReporter({ baseUrl, reportingKey: key })
  const file = await slipway.upload(new Blob(['total: 41.99'], { type: 'text/plain' }), 'cart.txt')
  const { meta: _, ...attachment } = file
  const report = { end_user_email: 'a@example.org', content: 'A cent is missing.', attachments: [attachment] }
  const first = await slipway.report(report, { idempotencyKey: 'ticket-7' })
  const again = await slipway.report(report, { idempotencyKey: 'ticket-7' })
  expect([first.feedback_number, again.feedback_number, again.meta.isReplayed]).toEqual([1, 1, true])
  const { items } = await client.feedback.listItems()
  const { data } = await client.feedback.getItem(items[0]!.id)
  expect(data.attachments).toMatchObject([{ file_name: 'cart.txt', mime_type: 'text/plain', file_size: 12 }])
  const wrong = createReporter({ baseUrl, reportingKey: project.admin.key })
  const refused = await wrong.report(report).catch((err: unknown) => err)
  expect([ForbiddenError, UnauthorizedError].some((one) => refused instanceof one)).toBe(true)
})
