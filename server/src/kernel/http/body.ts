import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { Type } from 'typebox'
import { AppError, invalid, malformed, quoted } from '../errors.ts'
import type { Deadlines } from './deadlines.ts'
import { readBody } from './read-body.ts'

interface JsonSchema {
  type?: string | string[]
  properties?: Record<string, JsonSchema>
  items?: JsonSchema
  anyOf?: JsonSchema[]
  additionalProperties?: boolean
}

type BodyHook = (req: FastifyRequest, reply: FastifyReply, done: (err?: Error) => void) => void
type Strip = (value: unknown, path: string, unknown: string[]) => void

const MOST_NAMED = 50
const MOST_NESTED = 200

const [QUOTE, BACKSLASH] = [0x22, 0x5c]
const [LIST, END_OF_LIST, OBJECT, END_OF_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/** What is nested without measure would run out of stack wherever it is walked through. */
function isTooDeep(json: Buffer): boolean {
  let depth = 0
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]
    if (byte === QUOTE) at = endOfText(json, at)
    else if (byte === END_OF_LIST || byte === END_OF_OBJECT) depth--
    else if ((byte === LIST || byte === OBJECT) && ++depth > MOST_NESTED) return true
  }
  return false
}

function endOfText(json: Buffer, start: number): number {
  for (let end = json.indexOf(QUOTE, start + 1); end !== -1; end = json.indexOf(QUOTE, end + 1)) {
    let escapes = 0
    while (json[end - 1 - escapes] === BACKSLASH) escapes++
    if (escapes % 2 === 0) return end
  }
  return json.length
}

/** JSON as the specification wants it: UTF-8 only, unread where no body is expected. */
export function acceptJson(app: FastifyInstance, deadlines: Deadlines): void {
  const parseJson = app.getDefaultJsonParser('remove', 'remove')
  app.removeAllContentTypeParsers()
  const parse = (req: FastifyRequest, body: Buffer, done: (err: Error | null, value?: unknown) => void) => {
    if (!req.routeOptions.schema?.body) return done(null)
    if (body.length === 0) return req.routeOptions.config.optionalBody ? done(null, {}) : done(emptyBody())
    if (!isUtf8(body)) return done(malformed('malformed_json', 'The body is not valid UTF-8. Send JSON in UTF-8.'))
    if (isTooDeep(body))
      return done(malformed('malformed_json', `The body is nested deeper than ${MOST_NESTED} levels.`))
    parseJson(req, body.toString('utf8'), (err, value) => {
      if (!err) return done(null, value)
      done(
        malformed('malformed_json', `The body is not valid JSON: ${err.message}. Check commas, quotes and brackets.`),
      )
    })
  }
  app.addContentTypeParser('application/json', (req, payload, done) => {
    readBody(req, payload, deadlines, (err, body) => (err ? done(err) : parse(req, body, done)))
  })
}

const NoFields = Type.Object({}, { description: 'No field is known here: whatever is sent is ignored and named.' })
const TAKES_BODY = new Set(['POST', 'PUT', 'PATCH'])

/**
 * A write that needs no fields takes a body all the same, so that what is sent in vain is named and what is broken is
 * refused.
 */
export function takeOptionalBody(route: RouteOptions): void {
  if (!route.schema || route.schema.body || !TAKES_BODY.has(String(route.method))) return
  route.schema = { ...route.schema, body: NoFields }
  route.config = { ...route.config, optionalBody: true }
}

/** 415 that says what may be sent instead. */
export const notAccepted = (types: string[] = ['application/json']) =>
  new AppError(
    415,
    'unsupported_media_type',
    `This content type is not accepted here. Send ${types.map((type) => `"Content-Type: ${type}"`).join(' or ')}.`,
  )

export const emptyBody = () =>
  malformed('empty_body', 'The body is empty. Send a JSON object with "Content-Type: application/json".')

/** Bodies of more than one content type have a schema for each, as in OpenAPI. */
export interface BodyContent {
  content: Record<string, { schema: JsonSchema }>
}

/**
 * A hook for a route with a body schema: unknown fields are taken out and named in `X-Ignored-Fields`, before the
 * validator sees the rest.
 */
export function bodyHook(schema: JsonSchema | BodyContent, method: string): BodyHook {
  if (!('content' in schema)) return hookOf(schema, method)
  const hooks = new Map(Object.entries(schema.content).map(([type, one]) => [type, hookOf(one.schema, method)]))
  return (req, reply, done) => {
    const hook = hooks.get(req.mediaType ?? '')
    if (hook) hook(req, reply, done)
    else done(req.body === undefined ? emptyBody() : notAccepted([...hooks.keys()]))
  }
}

function hookOf(schema: JsonSchema, method: string): BodyHook {
  const strip = stripperOf(schema)
  return (req: FastifyRequest, reply: FastifyReply, done: (err?: Error) => void) => {
    if (req.body === undefined && req.routeOptions.config.optionalBody) req.body = {}
    const body = req.body
    if (body === undefined) return done(emptyBody())
    if (body === null || typeof body !== 'object' || Array.isArray(body))
      return done(invalid([{ pointer: '', detail: `The body must be a JSON object, not ${quoted(body)}.` }]))
    const sent = Object.keys(body).length
    const unknown: string[] = []
    strip?.(body, '', unknown)
    if (unknown.length > 0) {
      if ((method === 'PATCH' || method === 'PUT') && sent > 0 && Object.keys(body).length === 0)
        return done(nothingKnown(unknown, Object.keys(schema.properties ?? {})))
      reply.header('x-ignored-fields', unknown.slice(0, MOST_NAMED).map(headerSafe).join(', '))
    }
    done()
  }
}

/** Takes out the fields a schema does not know and returns their dotted paths. */
export function stripUnknown(schema: object): (value: unknown) => string[] {
  const strip = stripperOf(schema as JsonSchema)
  return (value) => {
    const unknown: string[] = []
    strip?.(value, '', unknown)
    return unknown
  }
}

function stripperOf(schema: JsonSchema): Strip | undefined {
  if (schema.anyOf) {
    const object = schema.anyOf.find((one) => one.properties)
    return object && stripperOf(object)
  }
  if (schema.items) {
    const each = stripperOf(schema.items)
    return (
      each &&
      ((value, path, unknown) => {
        if (Array.isArray(value)) for (const [index, item] of value.entries()) each(item, `${path}${index}.`, unknown)
      })
    )
  }
  const properties = schema.properties
  if (!properties) return undefined
  const open = schema.additionalProperties === true
  const inner = new Map(Object.entries(properties).map(([name, one]) => [name, stripperOf(one)]))
  return (value, path, unknown) => {
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return
    const fields = value as Record<string, unknown>
    for (const name of Object.keys(fields)) {
      if (inner.has(name)) inner.get(name)?.(fields[name], `${path}${name}.`, unknown)
      else if (!open) {
        unknown.push(path + name)
        delete fields[name]
      }
    }
  }
}

function nothingKnown(unknown: string[], known: string[]) {
  return invalid(
    unknown.slice(0, MOST_NAMED).map((name) => ({
      pointer: `/${name.replace(/~/g, '~0').replace(/\//g, '~1')}`,
      detail: `${quoted(name)} is not known here. Known fields: ${known.join(', ')}.`,
    })),
    'unknown_fields',
  )
}

function headerSafe(path: string): string {
  return path
    .slice(0, 200)
    .toWellFormed()
    .replace(/[^\w.$-]/g, encodeURIComponent)
}
