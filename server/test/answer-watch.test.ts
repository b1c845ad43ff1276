import Fastify from 'fastify'
import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { failOnUndeclaredAnswers } from './answer-watch.ts'

const response = { 200: Type.Object({ data: Type.Object({ id: Type.String() }) }) }

async function answer(body: unknown, schema: object = { response }) {
  const app = Fastify()
  app.get('/thing', { schema }, async (_req, reply) => {
    reply.type('application/json')
    // Text passes the serialiser by.
    return JSON.stringify(body)
  })
  await app.inject('/thing')
  await app.close()
}

test('a test fails when an answer has a field that its route does not declare, however deep', async () => {
  await answer({ data: { id: 'a', password: 'b' } })
  expect(failOnUndeclaredAnswers).toThrow('must NOT have additional properties')
})

test('a test fails when an answer lacks a declared field, or is not declared at all', async () => {
  await answer({ data: {} })
  expect(failOnUndeclaredAnswers).toThrow("must have required property 'id'")
  await answer({ data: { id: 'a' } }, {})
  expect(failOnUndeclaredAnswers).toThrow('does not declare')
})

test('what is declared passes', async () => {
  await answer({ data: { id: 'a' } })
  expect(failOnUndeclaredAnswers).not.toThrow()
})
