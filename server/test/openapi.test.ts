import { readFile } from 'node:fs/promises'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openWorkspace, type Workspace } from './harness.ts'

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document is looked into freely
type Document = any

let workspace: Workspace
let document: Document

beforeAll(async () => {
  workspace = await openWorkspace()
  const { admin } = await workspace.project()
  document = (await admin.api.get('/openapi.json')).body
})
afterAll(() => workspace.close())

/** What a part of the document is or refers to. */
const resolve = (part: Document): Document =>
  part.$ref === undefined
    ? part
    : part.$ref
        .split('/')
        .slice(1)
        .reduce((from: Document, key: string) => from[key], document)

const operations = (): [string, Document][] =>
  Object.entries<Document>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Document>(methods).map(([method, operation]): [string, Document] => [
      `${method} ${path}`,
      operation,
    ]),
  )

describe('openapi.json', () => {
  test('is OpenAPI 3.1 and describes only the external routes', () => {
    expect(document.openapi).toMatch(/^3\.1/)
    for (const path of Object.keys(document.paths)) expect(path).toMatch(/^\/v2\/external-api\//)
  })

  test('describes every work order operation of the specification', () => {
    const base = '/v2/external-api/work_orders'
    const expected = [
      `get ${base}/labels`,
      `get ${base}/phases`,
      `get ${base}`,
      `post ${base}/search`,
      `post ${base}/batch_create`,
      `post ${base}/batch_update`,
      `get ${base}/by_number/{work_order_number}`,
      `get ${base}/{work_order_id}`,
      `delete ${base}/{work_order_id}`,
      `patch ${base}/{work_order_id}/description`,
      `get ${base}/{work_order_id}/comments`,
      `post ${base}/{work_order_id}/comments`,
      `patch ${base}/{work_order_id}/comments/{comment_id}`,
      `delete ${base}/{work_order_id}/comments/{comment_id}`,
    ]
    expect(operations().map(([name]) => name)).toEqual(expect.arrayContaining(expected))
  })

  test('describes every artifact operation of the specification and marks the deprecated ones', () => {
    const base = '/v2/external-api/artifacts'
    const expected = [
      `get ${base}`,
      `post ${base}`,
      `delete ${base}/folders`,
      `get ${base}/{artifact_id}/content`,
      `get ${base}/{artifact_id}`,
      `patch ${base}/{artifact_id}`,
      `delete ${base}/{artifact_id}`,
    ]
    expect(operations().map(([name]) => name)).toEqual(expect.arrayContaining(expected))
    expect(document.paths[`${base}/folders`].delete.deprecated).toBe(true)
    const filter = document.paths[base].get.parameters.map(resolve).find((one: Document) => one.name === 'folder_path')
    expect(filter.deprecated).toBe(true)
    const bodies = document.paths[base].post.requestBody.content
    expect(Object.keys(bodies)).toEqual(['application/json', 'multipart/form-data'])
    expect(bodies['multipart/form-data'].schema.properties.file).toMatchObject({ type: 'string' })
    for (const body of Object.values<Document>(bodies)) expect(body.schema.properties.folder_path.deprecated).toBe(true)
  })

  test('describes every feedback operation of the specification', () => {
    const base = '/v2/external-api/feedback'
    const theme = `${base}/themes/{theme_id}`
    const expected = [
      `get ${base}/themes`,
      `post ${base}/themes`,
      ...['get', 'patch', 'delete'].map((method) => `${method} ${theme}`),
      `post ${theme}/feedback_links`,
      `delete ${theme}/feedback_links/{feedback_item_id}`,
      `post ${theme}/work_orders`,
      `delete ${theme}/work_orders/{work_order_id}`,
      ...['put', 'delete'].flatMap((method) => [`${method} ${theme}/feature`, `${method} ${theme}/assignee`]),
      `get ${base}/items`,
      `get ${base}/items/{feedback_item_id}`,
    ]
    expect(expected).toHaveLength(15)
    expect(operations().map(([name]) => name)).toEqual(expect.arrayContaining(expected))
  })

  test('names each operation once', () => {
    const ids = operations().map(([, operation]) => operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('declares the responses of every operation, with an example for each body', () => {
    for (const [name, operation] of operations()) {
      const statuses = Object.keys(operation.responses)
      expect(statuses, name).toEqual(expect.arrayContaining(['401', '429', '500', '503']))
      for (const [status, declared] of Object.entries<Document>(operation.responses)) {
        const answer = resolve(declared)
        // Binary content has no example.
        if ((status !== '200' && status !== '201') || answer.content['*/*']) continue
        expect(answer.content['application/json'].example, `${name} ${status}`).toBeDefined()
      }
    }
  })

  test('lints clean with the recommended rules', async () => {
    const config = await createConfig(await readFile(new URL('../../redocly.yaml', import.meta.url), 'utf8'))
    const problems = await lintFromString({ source: JSON.stringify(document), config })
    expect(problems.map((problem) => `${problem.ruleId}: ${problem.message}`)).toEqual([])
  })

  test('matches the committed file, apart from the server URL', async () => {
    const file = JSON.parse(await readFile(new URL('../openapi.json', import.meta.url), 'utf8'))
    expect({ ...document, servers: [] }).toEqual({ ...file, servers: [] })
  })
})
