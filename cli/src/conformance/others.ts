import { checkPaging } from './every-operation.ts'
import { needed, type Report } from './report.ts'
import {
  expectAnswer,
  expectEmpty,
  expectEqual,
  expectProblem,
  expectThat,
  type ServerUnderTest,
} from './server-under-test.ts'
import { list, mapOf, nullable, object, text } from './shape.ts'
import { artifact, automation, conversation, dataOf, integration, itemsOf, pageOf, user } from './shapes.ts'

export async function checkService(report: Report, server: ServerUnderTest): Promise<void> {
  await report.check('GET /health', 'answers a flat map of strings', async () => {
    expectAnswer(await server.get('/health'), 200, mapOf(text))
  })
  await report.check('GET /health', 'takes the key as a bearer token too', async () => {
    const headers = { authorization: `Bearer ${server.key}` }
    expectAnswer(await server.get('/health', { key: null, headers }), 200)
  })
  await report.check('GET /openapi.json', 'describes only the routes of this interface', async () => {
    const { body } = expectAnswer(await server.get('/openapi.json'), 200, object({ openapi: text }))
    const foreign = Object.keys(body.paths).filter((path) => !path.startsWith('/v2/external-api'))
    expectEqual(foreign, [], 'the list of other routes')
  })
  await checkPaging(report, server, '/users')
  await report.check('GET /users', 'finds members by a part of their name or address', async () => {
    const { body } = expectAnswer(await server.get('/users'), 200, pageOf(user))
    const { id, email } = body.items[0] ?? {}
    const query = encodeURIComponent(String(email).toUpperCase())
    const found = expectAnswer(await server.get(`/users?search=${query}`), 200, pageOf(user))
    expectThat(
      found.body.items.some((one: { id: string }) => one.id === id),
      'the member is not found',
    )
  })
  await report.check('GET /users', 'answers 405 with the allowed methods to another one', async () => {
    const answer = expectProblem(await server.delete('/users'), 405)
    expectThat(answer.headers.get('allow')?.includes('GET'), `Allow is ${answer.headers.get('allow')}`)
  })
}

export async function checkAutomations(report: Report, server: ServerUnderTest): Promise<void> {
  const ONE = '/automations/{automation_id}'
  const name = `Conformance ${crypto.randomUUID()}`
  const id = needed(
    await report.check('POST /automations', 'creates it enabled, and shows the resolved schedule', async () => {
      const triggers = [{ trigger_type: 'schedule', config: { preset: 'hourly' } }]
      const made = { name, user_prompt: 'Say hello.', triggers }
      const { data } = expectAnswer(await server.post('/automations', made), 201, dataOf(automation)).body
      expectEqual([data.enabled, data.is_built_in, data.integration_grants], [true, false, []], 'the automation')
      expectEqual(data.triggers[0]?.config.cron_expression, '0 * * * *', 'the expression')
      expectThat(data.triggers[0]?.next_fire_at !== null, 'next_fire_at is null')
      return data.id as string
    }),
  )
  await report.check('POST /automations', 'refuses schedules that cannot be', async () => {
    for (const config of [{}, { cron_expression: '61 * * * *' }, { preset: 'hourly', timezone: 'Nowhere/Land' }])
      expectProblem(
        await server.post('/automations', { name, user_prompt: 'x', triggers: [{ trigger_type: 'schedule', config }] }),
        422,
      )
  })
  await report.check('GET /automations', 'filters by a part of the name', async () => {
    const query = encodeURIComponent(name.toUpperCase())
    const { body } = expectAnswer(await server.get(`/automations?name=${query}&enabled=true`), 200, itemsOf(automation))
    expectEqual(
      body.items.map((one: { id: string }) => one.id),
      [id],
      'what is found',
    )
  })
  await report.check(`GET ${ONE}`, 'answers the automation', async () => {
    expectAnswer(await server.get(`/automations/${id}`), 200, dataOf(automation))
  })
  await report.check(`PATCH ${ONE}`, 'changes only what is given; disabled, nothing is due', async () => {
    const { data } = expectAnswer(
      await server.patch(`/automations/${id}`, { enabled: false }),
      200,
      dataOf(automation),
    ).body
    expectEqual([data.enabled, data.name, data.triggers[0]?.next_fire_at], [false, name, null], 'the automation')
  })
  await report.check(`PATCH ${ONE}`, 'refuses to change a built-in one', async () => {
    const { items } = (await server.get('/automations')).body
    const builtIn = items.find((one: { is_built_in: boolean }) => one.is_built_in)
    expectThat(builtIn, 'there is no built-in automation')
    expectProblem(await server.patch(`/automations/${builtIn.id}`, { name: 'x' }), 403)
  })
  await report.check('GET /integrations', 'lists what the creator of the key has connected', async () => {
    expectAnswer(await server.get('/integrations'), 200, itemsOf(integration))
    expectAnswer(await server.get(`/integrations?automation_id=${id}`), 200, itemsOf(integration))
  })
  // Not every server of this interface can delete one.
  await server.delete(`/automations/${id}`)
}

export async function checkConversations(report: Report, server: ServerUnderTest): Promise<void> {
  const found = await report.check('GET /agent_conversations', 'lists conversations with a cursor', async () => {
    const shape = object({ items: list(conversation), next_cursor: nullable(text) })
    const { body } = expectAnswer(await server.get('/agent_conversations?page_size=1'), 200, shape)
    return body.items as { id: string }[]
  })
  await report.check('GET /agent_conversations', 'refuses a wrong cursor, expression or size', async () => {
    expectProblem(await server.get('/agent_conversations?cursor=nonsense'), 400)
    expectProblem(await server.get('/agent_conversations?query=('), 400)
    expectProblem(await server.get('/agent_conversations?page_size=101'), 422)
  })
  const [first] = found ?? []
  if (first)
    await report.check('GET /agent_conversations/{conversation_id}', 'answers what was said', async () => {
      const { data } = expectAnswer(
        await server.get(`/agent_conversations/${first.id}`),
        200,
        dataOf(conversation),
      ).body
      expectThat(Array.isArray(data.content), 'content is no list')
      expectThat(!data.content.some((one: { role: string }) => one.role === 'tool'), 'tools are shown unasked')
    })
}

export async function checkArtifacts(report: Report, server: ServerUnderTest): Promise<void> {
  const ONE = '/artifacts/{artifact_id}'
  const folder = `conformance-${crypto.randomUUID()}`
  const text = '# Notes\n'
  const id = needed(
    await report.check('POST /artifacts', 'makes a document, and the folder that it is in', async () => {
      const made = { name: 'notes.md', markdown_content: text, folder_path: folder }
      const answer = expectAnswer(await server.post('/artifacts', made), 201, dataOf(artifact.detail))
      const { data } = answer.body
      expectEqual([data.name, data.type, data.folder_path], ['notes.md', 'document', folder], 'the artifact')
      expectThat(answer.headers.has('deprecation'), 'folder_path is not marked as deprecated')
      expectProblem(await server.post('/artifacts', { ...made, name: 'NOTES.md' }), 409)
      return data.id as string
    }),
  )
  const bytes = Uint8Array.from({ length: 256 }, (_, at) => at)
  await report.check('POST /artifacts', 'stores an uploaded file', async () => {
    const form = new FormData()
    form.set('folder_path', folder)
    form.set('file', new Blob([bytes], { type: 'application/octet-stream' }), 'bytes.bin')
    const { data } = expectAnswer(await server.send('POST', '/artifacts', { form }), 201, dataOf(artifact.detail)).body
    expectEqual([data.type, data.size_bytes], ['file', bytes.length], 'the artifact')
  })
  await checkPaging(report, server, '/artifacts')
  await report.check('GET /artifacts', 'lists a folder and its descendants', async () => {
    const { body } = expectAnswer(await server.get(`/artifacts?folder_path=${folder}`), 200, pageOf(artifact.summary))
    expectEqual(body.items.map((one: { name: string }) => one.name).sort(), ['bytes.bin', 'notes.md'], 'the names')
  })
  await report.check(`GET ${ONE}`, 'answers the artifact with its text', async () => {
    const { data } = expectAnswer(await server.get(`/artifacts/${id}`), 200, dataOf(artifact.detail)).body
    expectEqual(data.markdown_content, text, 'the text')
  })
  await report.check(`GET ${ONE}/content`, 'sends the bytes as an attachment, and parts of them', async () => {
    const answer = expectAnswer(await server.get(`/artifacts/${id}/content`), 200)
    expectEqual(answer.text, text, 'the bytes')
    expectThat(answer.headers.get('content-disposition')?.startsWith('attachment'), 'it is no attachment')
    expectEqual(answer.headers.get('x-content-type-options'), 'nosniff', 'X-Content-Type-Options')
    const part = expectAnswer(await server.get(`/artifacts/${id}/content`, { headers: { range: 'bytes=2-6' } }), 206)
    expectEqual(part.text, 'Notes', 'the part')
    expectProblem(await server.get(`/artifacts/${id}/content`, { headers: { range: 'bytes=900-' } }), 416)
  })
  await report.check(`PATCH ${ONE}`, 'changes the name and the text', async () => {
    const sent = { name: 'renamed.md', markdown_content: 'New.' }
    const { data } = expectAnswer(await server.patch(`/artifacts/${id}`, sent), 200, dataOf(artifact.detail)).body
    expectEqual([data.name, data.markdown_content], ['renamed.md', 'New.'], 'the artifact')
  })
  await report.check(`DELETE ${ONE}`, 'deletes for good', async () => {
    expectEmpty(await server.delete(`/artifacts/${id}`))
    expectProblem(await server.get(`/artifacts/${id}`), 404)
  })
  await report.check('DELETE /artifacts/folders', 'deletes what is in the folder, and never the root', async () => {
    const remove = (folder_path: string) => server.send('DELETE', '/artifacts/folders', { body: { folder_path } })
    expectProblem(await remove('/'), 409)
    expectEmpty(await remove(folder))
    const { body } = expectAnswer(await server.get(`/artifacts?folder_path=${folder}`), 200)
    expectEqual(body.items, [], 'what is left')
  })
}
