import type { FastifyContextConfig, FastifyReply } from 'fastify'
import type { Static, TSchema, TUnsafe } from 'typebox'
import type { Encoded } from './answers/encoded.ts'
import './request.ts'

interface Described<Params, Query, Body, Answer, Answers> extends FastifyContextConfig {
  id: string
  summary: string
  description?: string
  tags: string[]
  deprecated?: boolean
  params?: Params
  query?: Query
  body?: Body
  /** Of status 200. */
  answer?: Answer
  /** By status, if there is another. */
  answers?: Answers
}

/** A handler answers with a value, with its JSON, or by what it has sent itself. */
type Sendable<T> = T extends TSchema ? TUnsafe<Static<T> | Encoded | FastifyReply> : never
type Responses<Answer, Answers> = Answer extends TSchema
  ? { 200: Sendable<Answer> }
  : { [Status in keyof Answers]: Sendable<Answers[Status]> }

/**
 * The options of a route that the OpenAPI document describes: its schemas validate, serialize and describe. Whatever else
 * it has is configuration (`FastifyContextConfig`).
 */
export function operation<Params, Query, Body, Answer, Answers>({
  id: operationId,
  summary,
  description,
  tags,
  deprecated,
  params,
  query: querystring,
  body,
  answer,
  answers,
  ...config
}: Described<Params, Query, Body, Answer, Answers>) {
  const response = answers ?? (answer && { 200: answer })
  const schema = { operationId, summary, description, tags, deprecated, params, querystring, body, response }
  return { config, schema: present(schema) as Schema<Params, Query, Body, Responses<Answer, Answers>> }
}

interface Schema<Params, Query, Body, Responses> {
  operationId: string
  summary: string
  tags: string[]
  params: Params
  querystring: Query
  body: Body
  response: Responses
}

const present = (fields: object) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as object
