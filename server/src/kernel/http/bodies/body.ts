import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { Type } from 'typebox'
import { cut } from '../../../engines/text/characters.ts'
import { AppError, invalid, malformed, quoted } from '../../errors.ts'
import { inThreads } from '../../threads/threads.ts'
import { type Parsed, parseJson } from './parse-json.ts'
import { bodyTooLarge, readBody, refusalOfAnnounced } from './read-body.ts'

interface JsonSchema {
  type?: string | string[]
  properties?: Record<string, JsonSchema>
  items?: JsonSchema
  anyOf?: JsonSchema[]
  additionalProperties?: boolean
}

type BodyHook = (req: FastifyRequest, reply: FastifyReply, done: (err?: Error) => void) => void
type Strip = (value: unknown, path: string, unknown: string[]) => void

const MAX_NAMED_FIELDS = 50
const MAX_NAME_LENGTH = 100
/** Most clients and proxies refuse responses with more than 8 or 16 KB of headers. */
const MAX_HEADER_LENGTH = 4_000

/** Larger bodies are parsed in a thread: 10 MB full of escapes take 100 ms and more. */
const LARGE_BODY = 1024 * 1024
const PARSE_WITHIN_MS = 20_000
/** Callers of routes that concern no project share the threads like one project. */
const NO_PROJECT = 'none'
const threads = inThreads<typeof import('./parse-json.ts')>(new URL('./parse-json.js', import.meta.url))

/** Parses JSON bodies strictly: UTF-8 only. Leaves the body unread where none is expected. */
export function acceptJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  const parse = (req: FastifyRequest, body: Buffer, done: (err: Error | null, value?: unknown) => void) => {
    if (body.length === 0) return req.routeOptions.config.optionalBody ? done(null, {}) : done(emptyBody())
    const finish = ({ value, fault }: Parsed) => done(fault ? refusalOf(fault) : null, value)
    if (body.length < LARGE_BODY) return finish(parseJson(body))
    const project = req.ctx?.actor.projectId ?? NO_PROJECT
    const parsing = threads.run(project, 'parseJson', body, { deadlineMs: PARSE_WITHIN_MS })
    req.bodyMemory?.keepUntil(parsing)
    parsing.then(finish, done)
  }
  app.addContentTypeParser('application/json', (req, payload, done) => {
    if (!req.routeOptions.schema?.body) return done(refusalOfAnnounced(req))
    readBody(req, payload, (err, body) => (err ? done(err) : parse(req, body, done)))
  })
}

/** Parses forms, only where a route asks for one. A field that is there twice has no meaning. */
export function acceptForms(app: FastifyInstance): void {
  app.addContentTypeParser('application/x-www-form-urlencoded', (req, payload, done) => {
    if (!req.routeOptions.config.form) return done(unsupportedMediaType())
    readBody(req, payload, (err, body) => {
      if (err) return done(err)
      const fields = [...new URLSearchParams(body.toString())]
      const named = Object.fromEntries(fields)
      if (Object.keys(named).length === fields.length) return done(null, named)
      done(malformed('malformed_form', 'A field of the form is there twice.'))
    })
  })
}

const refusalOf = ({ isTooLarge, detail }: NonNullable<Parsed['fault']>) =>
  isTooLarge ? bodyTooLarge(detail) : malformed('malformed_json', detail)

const NoFields = Type.Object({}, { description: 'No field is known here: whatever is sent is ignored and named.' })
const TAKES_BODY = new Set(['POST', 'PUT', 'PATCH'])

/** A write without required fields still reads its body, to report ignored fields and refuse malformed JSON. */
export function acceptOptionalBody(route: RouteOptions): void {
  if (!route.schema || route.schema.body || !TAKES_BODY.has(String(route.method))) return
  route.schema = { ...route.schema, body: NoFields }
  route.config = { ...route.config, optionalBody: true }
}

/** Builds a 415 that lists the accepted types. */
export const unsupportedMediaType = (types: string[] = ['application/json']) =>
  new AppError(
    415,
    'unsupported_media_type',
    `This content type is not accepted here. Send ${types.map((type) => `"Content-Type: ${type}"`).join(' or ')}.`,
  )

const emptyBody = () =>
  malformed('empty_body', 'The body is empty. Send a JSON object with "Content-Type: application/json".')

/** The schemas of a body that has several content types, as in OpenAPI. */
export interface BodyContent {
  content: Record<string, { schema: JsonSchema }>
}

/**
 * Returns a hook for a body schema. It removes unknown fields before validation and lists them in `X-Ignored-Fields`.
 */
export function bodyHook(schema: JsonSchema | BodyContent, method: string): BodyHook {
  if (!('content' in schema)) return hookOf(schema, method)
  const hooks = new Map(Object.entries(schema.content).map(([type, one]) => [type, hookOf(one.schema, method)]))
  return (req, reply, done) => {
    const hook = hooks.get(req.mediaType ?? '')
    if (hook) hook(req, reply, done)
    else done(req.body === undefined ? emptyBody() : unsupportedMediaType([...hooks.keys()]))
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
      reply.header('x-ignored-fields', ignoredHeader(unknown))
    }
    done()
  }
}

/** Removes the fields that a schema does not know and returns their dotted paths. */
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
    shortNames(unknown).map((name) => ({
      pointer: `/${name.replace(/~/g, '~0').replace(/\//g, '~1')}`,
      detail: `${quoted(name)} is not known here. Known fields: ${known.join(', ')}.`,
    })),
    'unknown_fields',
  )
}

/**
 * Shortens names for a header. There can be any number of them, of any length, with any characters, even lone
 * surrogates.
 */
export const shortNames = (names: string[]) =>
  names.slice(0, MAX_NAMED_FIELDS).map((name) => cut(name, MAX_NAME_LENGTH).toWellFormed())

function ignoredHeader(paths: string[]): string {
  let header = ''
  for (const path of shortNames(paths)) {
    const next = path.replace(/[^\w.$-]/gu, encodeURIComponent)
    if (header.length + next.length > MAX_HEADER_LENGTH) break
    header += header === '' ? next : `, ${next}`
  }
  return header
}
