import { absentPath, nameOf, OPERATIONS, type Operation } from './operations.ts'
import type { Report } from './report.ts'
import { expectAnswer, expectEqual, expectProblem, expectThat, type ServerUnderTest } from './server-under-test.ts'

const REPORTING = '/v2/reporting-api'

/** What holds for every operation alike: keys, request ids, bodies that cannot be read, ids of nothing. */
export async function checkEveryOperation(report: Report, server: ServerUnderTest): Promise<void> {
  for (const operation of OPERATIONS) await checkOne(report, server, operation)
}

async function checkOne(report: Report, server: ServerUnderTest, operation: Operation): Promise<void> {
  const { method, path, body } = operation
  const name = nameOf(operation)
  const key = path.startsWith(REPORTING) ? server.reportingKey : server.key
  const absent = absentPath(path)

  await report.checkGeneral(name, 'asks for a key, and answers a wrong one as a missing one', async () => {
    const answers = await Promise.all(
      [null, `sofa-ext-${'x'.repeat(43)}`].map((wrong) => server.send(method, absent, { body, key: wrong })),
    )
    const [missing, wrong] = answers.map((answer) => {
      expectProblem(answer, 401)
      expectThat(answer.headers.has('www-authenticate'), 'there is no WWW-Authenticate')
      const { request_id: _, ...rest } = answer.body
      return rest
    })
    expectEqual(wrong, missing, 'the body for a wrong key')
  })
  if (key === undefined) return

  await report.checkGeneral(name, 'repeats the id of the request', async () => {
    const answer = await server.send(method, absent, { body, key: null, headers: { 'x-request-id': 'conformance.1' } })
    expectEqual(answer.headers.get('x-request-id'), 'conformance.1', 'X-Request-Id')
  })

  if (path.includes('{')) {
    await report.checkGeneral(name, 'answers 404 for an id of nothing', async () => {
      expectProblem(await server.send(method, absent, { body, key }), 404)
    })
    await report.checkGeneral(name, 'answers 422 for an id that is none', async () => {
      expectProblem(await server.send(method, path.replace(/\{\w+\}/g, 'nonsense'), { body, key }), 422)
    })
  }
  if (!body) return
  await report.checkGeneral(
    name,
    'answers 400 for a body that is no JSON, and 422 for one that is no object',
    async () => {
      expectProblem(await server.send(method, absent, { raw: '{"a":', key }), 400)
      expectProblem(await server.send(method, absent, { raw: '', key }), 400)
      expectProblem(await server.send(method, absent, { raw: '[]', key }), 422)
    },
  )
  for (const field of operation.required ?? [])
    await report.checkGeneral(name, `answers 422 without "${field}", and when it is of another type`, async () => {
      const { [field]: _, ...others } = body
      for (const wrong of [others, { ...others, [field]: 7 }]) {
        const answer = expectProblem(await server.send(method, absent, { body: wrong, key }), 422)
        const named = JSON.stringify(answer.body.errors)
        expectThat(named.includes(field), `the errors do not name the field: ${named}`)
      }
    })
}

/** How lists are cut into pages. */
export async function checkPaging(report: Report, server: ServerUnderTest, path: string): Promise<void> {
  await report.check(`GET ${path}`, 'refuses pages and sizes that cannot be', async () => {
    for (const query of ['page_size=0', 'page_size=101', 'page_size=x', 'page=0'])
      expectProblem(await server.get(`${path}?${query}`), 422)
  })
  await report.check(`GET ${path}`, 'answers a page past the end with no items', async () => {
    const { body } = expectAnswer(await server.get(`${path}?page=1000000&page_size=1`), 200)
    expectEqual(body.items, [], 'items')
    expectEqual(body.total_pages, body.total, 'total_pages')
  })
  await report.check(`GET ${path}`, 'ignores unknown parameters, and links to other pages', async () => {
    const { headers, body } = expectAnswer(await server.get(`${path}?page_size=1&unknown=1`), 200)
    expectEqual(body.page_size, 1, 'page_size')
    expectThat(headers.get('link')?.includes('rel="first"'), 'there is no Link to the first page')
  })
}
