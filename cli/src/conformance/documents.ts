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
import { integer, list, object } from './shape.ts'
import { blueprint, category, dataOf, itemsOf, pageOf, requirement, suggestion, thread, version } from './shapes.ts'

const KINDS = {
  '/requirements': { shapes: requirement, id: 'document_id', made: { document_type: 'OVERVIEW' } },
  '/blueprints': { shapes: blueprint, id: 'blueprint_document_id', made: {} },
}

type Base = keyof typeof KINDS

/** Requirements or blueprints, which share every rule. */
export async function checkDocuments(report: Report, server: ServerUnderTest, base: Base): Promise<void> {
  const { shapes, id: idName, made } = KINDS[base]
  const one = `${base}/{${idName}}`
  const mark = `Conformance ${crypto.randomUUID()}`
  const text = 'The refund goes to the card.\n\nIt takes ten days.\n'

  const id = needed(
    await report.check(`POST ${base}`, 'creates with 201 and answers the detail form', async () => {
      const { body } = expectAnswer(
        await server.post(base, { title: mark, markdown_content: text, ...made }),
        201,
        dataOf(shapes.detail),
      )
      expectEqual(
        [body.data.title, body.data.markdown_content, body.data.version_number],
        [mark, text, 1],
        'the document',
      )
      expectEqual(body.data.document_id, body.data.id, 'document_id')
      return body.data.id as string
    }),
  )
  const path = `${base}/${id}`
  const detail = async () => expectAnswer(await server.get(path), 200, dataOf(shapes.detail))

  await report.check(`POST ${base}`, 'repeats nothing for one Idempotency-Key', async () => {
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const body = { title: `${mark} once`, ...made }
    const first = expectAnswer(await server.post(base, body, { headers }), 201)
    const second = expectAnswer(await server.post(base, body, { headers }), 201)
    expectEqual(second.body.data.id, first.body.data.id, 'the id of the second answer')
    expectEqual(second.headers.get('idempotency-replayed'), 'true', 'Idempotency-Replayed')
    expectProblem(await server.post(base, { ...body, title: 'other' }, { headers }), 422)
    await server.delete(`${base}/${first.body.data.id}`)
  })
  await report.check(`POST ${base}`, 'names unknown fields of the body in X-Ignored-Fields', async () => {
    const answer = expectAnswer(await server.post(base, { title: `${mark} more`, ...made, colour: 'red' }), 201)
    expectEqual(answer.headers.get('x-ignored-fields'), 'colour', 'X-Ignored-Fields')
    await server.delete(`${base}/${answer.body.data.id}`)
  })
  await checkPaging(report, server, base)
  await report.check(`GET ${base}`, 'finds a title in any case', async () => {
    const query = encodeURIComponent(mark.toUpperCase())
    const { body } = expectAnswer(await server.get(`${base}?title=${query}`), 200, pageOf(shapes.summary))
    expectEqual([body.total, body.items[0]?.id], [1, id], 'what is found')
  })
  await report.check(`GET ${one}`, 'answers 304 for a known ETag', async () => {
    const etag = (await detail()).headers.get('etag')
    expectThat(etag && !etag.startsWith('W/'), `the ETag ${etag} is not a strong one`)
    expectAnswer(await server.get(path, { headers: { 'if-none-match': etag! } }), 304)
  })
  await report.check(`GET ${one}`, 'reads lines, clipped at the end', async () => {
    const { body } = expectAnswer(await server.get(`${path}?start_line=3&end_line=99`), 200)
    expectEqual(body.data.markdown_content.trim(), 'It takes ten days.', 'the lines')
    expectProblem(await server.get(`${path}?start_line=3&end_line=2`), 422)
  })
  await report.check(`PATCH ${one}`, 'replaces the text, and makes a version only if it differs', async () => {
    const changed = text.replace('ten', 'five')
    for (const _ of ['first', 'again']) {
      const answer = await server.patch(path, { markdown_content: changed })
      const { body } = expectAnswer(answer, 200, dataOf(shapes.detail))
      expectEqual([body.data.markdown_content, body.data.version_number], [changed, 2], 'the document')
    }
  })
  await report.check(`PATCH ${one}`, 'refuses invalid markdown with 400', async () => {
    expectProblem(await server.patch(path, { markdown_content: '```\nnever closed\n' }), 400, 'invalid_markdown')
  })
  await report.check(`PATCH ${one}`, 'answers 412 with the current state for an old ETag', async () => {
    const headers = { 'if-match': '"of-old"' }
    const answer = expectProblem(await server.patch(path, { markdown_content: 'x' }, { headers }), 412)
    expectThat(answer.body.current_etag && answer.body.version_id, 'current_etag or version_id is missing')
  })
  await report.check(`PATCH ${one}`, 'refuses a body with only unknown fields', async () => {
    expectProblem(await server.patch(path, { colour: 'red' }), 422)
  })
  await report.check(`PATCH ${one}/rename`, 'changes the title and not the version', async () => {
    const { body } = expectAnswer(
      await server.patch(`${path}/rename`, { title: `${mark} renamed` }),
      200,
      dataOf(shapes.detail),
    )
    expectEqual([body.data.title, body.data.version_number], [`${mark} renamed`, 2], 'the document')
  })
  await report.check(`PUT ${one}/move`, 'moves under a parent and back, never into itself', async () => {
    const parent = expectAnswer(await server.post(base, { title: `${mark} parent`, ...made }), 201).body.data.id
    const moved = expectAnswer(await server.put(`${path}/move`, { parent_id: parent }), 200, dataOf(shapes.detail))
    expectEqual(moved.body.data.parent_id, parent, 'parent_id')
    expectProblem(await server.put(`${base}/${parent}/move`, { parent_id: id }), 409)
    // Deleting a parent loses no child: it moves up.
    expectEmpty(await server.delete(`${base}/${parent}`))
    expectEqual((await detail()).body.data.parent_id, null, 'parent_id after its parent was deleted')
  })
  await report.check(`POST ${one}/apply_suggestion`, 'tracks the change as CriticMarkup', async () => {
    const answer = await server.post(`${path}/apply_suggestion`, { old_text: 'the card', new_text: 'the account' })
    const { body } = expectAnswer(answer, 200, dataOf(suggestion))
    expectThat(body.data.change_ids.length === 2, 'a replacement is not one deletion and one insertion')
    const shown = (await detail()).body.data.markdown_content
    expectThat(shown.includes('{--the card--}{++the account++}'), `the text is ${shown}`)
  })
  await report.check(`POST ${one}/apply_suggestion`, 'refuses text that is absent, or there twice', async () => {
    const suggest = (old_text: string) => server.post(`${path}/apply_suggestion`, { old_text, new_text: 'x' })
    expectProblem(await suggest('never said'), 409, 'text_not_found')
    expectProblem(await suggest('t'), 409, 'text_ambiguous')
  })
  const versions = await report.check(`GET ${one}/versions`, 'lists all versions, the newest first', async () => {
    const shape = object({ items: list(version), total_count: integer })
    const { body } = expectAnswer(await server.get(`${path}/versions`), 200, shape)
    expectEqual(
      body.items.map((item: { version_number: number }) => item.version_number),
      [3, 2, 1],
      'the versions',
    )
    expectEqual(body.total_count, 3, 'total_count')
    return body.items as { version_id: string }[]
  })
  await report.check(`GET ${one}/versions/{version_id}`, 'reads an old version', async () => {
    const first = needed(versions).at(-1)!
    const { body } = expectAnswer(await server.get(`${path}/versions/${first.version_id}`), 200, dataOf(shapes.detail))
    expectEqual([body.data.version_number, body.data.markdown_content], [1, text], 'the version')
  })
  const threadId = await report.check(`POST ${one}/comments`, 'opens a thread with 201', async () => {
    const { body } = expectAnswer(await server.post(`${path}/comments`, { message: 'Why ten?' }), 201, dataOf(thread))
    expectEqual([body.data.messages[0]?.message, body.data.is_resolved], ['Why ten?', false], 'the thread')
    expectProblem(await server.post(`${path}/comments`, { message: '' }), 422)
    return body.data.thread_id as string
  })
  await report.check(`GET ${one}/comments`, 'lists the threads', async () => {
    const { body } = expectAnswer(await server.get(`${path}/comments`), 200, itemsOf(thread))
    expectEqual(
      body.items.map((item: { id: string }) => item.id),
      [needed(threadId)],
      'the threads',
    )
  })
  await report.check(`GET ${one}/comments/{thread_id}`, 'reads one thread', async () => {
    expectAnswer(await server.get(`${path}/comments/${needed(threadId)}`), 200, dataOf(thread))
  })
  await report.check(`POST ${base}/search`, 'finds titles and lines with their surroundings', async () => {
    const number = mark.split(' ')[1]
    const { body } = expectAnswer(await server.post(`${base}/search`, { query: number }), 200, itemsOf(shapes.hit))
    expectEqual(
      body.items.map((hit: { id: string }) => hit.id),
      [id],
      'what a title finds',
    )
    const lines = expectAnswer(await server.post(`${base}/search`, { query: 'takes (five|ten) days' }), 200)
    const hit = lines.body.items.find((item: { id: string }) => item.id === id)
    expectEqual([hit?.matches[0]?.line_number, hit?.matches[0]?.line], [3, 'It takes five days.'], 'what a line finds')
  })
  await report.check(`POST ${base}/search`, 'refuses an expression that is none, or not linear', async () => {
    for (const query of ['(', '(a)\\1']) expectProblem(await server.post(`${base}/search`, { query }), 400)
  })
  await report.check(`DELETE ${one}`, 'deletes for good', async () => {
    expectProblem(await server.delete(path, { headers: { 'if-match': '"of-old"' } }), 412)
    expectEmpty(await server.delete(path))
    expectProblem(await server.get(path), 404)
  })
}

/** A feature and its blueprint are one. */
export async function checkFeaturePair(report: Report, server: ServerUnderTest): Promise<void> {
  const title = `Conformance ${crypto.randomUUID()}`
  await report.check('GET /blueprints/categories', 'has one locked category for feature blueprints', async () => {
    const { body } = expectAnswer(await server.get('/blueprints/categories'), 200, itemsOf(category))
    const locked = body.items.filter((one: { is_feature_blueprints: boolean }) => one.is_feature_blueprints)
    expectThat(locked.length === 1 && locked[0].locked, 'there is not exactly one')
  })
  const feature = await report.check('POST /requirements', 'makes a feature together with its blueprint', async () => {
    const made = expectAnswer(await server.post('/requirements', { title, document_type: 'FEATURE' }), 201)
    const { id, feature_id } = made.body.data
    expectEqual(feature_id, id, 'feature_id')
    const { body } = expectAnswer(await server.get(`/blueprints?feature_id=${id}`), 200, pageOf(blueprint.summary))
    expectEqual(
      body.items.map((one: { title: string }) => one.title),
      [title],
      'its blueprints',
    )
    return { id, blueprint: body.items[0].id as string }
  })
  await report.check('DELETE /blueprints/{blueprint_document_id}', 'refuses a feature blueprint with 409', async () => {
    expectProblem(await server.delete(`/blueprints/${needed(feature).blueprint}`), 409)
  })
  await report.check('DELETE /requirements/{document_id}', 'deletes the blueprint of a feature too', async () => {
    expectEmpty(await server.delete(`/requirements/${needed(feature).id}`))
    expectProblem(await server.get(`/blueprints/${needed(feature).blueprint}`), 404)
  })
}
