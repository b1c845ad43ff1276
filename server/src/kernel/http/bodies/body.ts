import { isAscii, isUtf8, transcode } from 'node:buffer'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { Type } from 'typebox'
import { cut } from '../../../engines/text/characters.ts'
import { AppError, invalid, malformed, quoted } from '../../errors.ts'
import type { Deadlines } from './deadlines.ts'
import { bodyTooLarge, readBody } from './read-body.ts'

interface JsonSchema {
  type?: string | string[]
  properties?: Record<string, JsonSchema>
  items?: JsonSchema
  anyOf?: JsonSchema[]
  additionalProperties?: boolean
}

type BodyHook = (req: FastifyRequest, reply: FastifyReply, done: (err?: Error) => void) => void
type Strip = (value: unknown, path: string, unknown: string[]) => void

const MAX_NESTING = 200
/** Far more than any batch needs. Later steps take time proportional to the number of values. */
const MAX_VALUES = 100_000
const MAX_NAMED_FIELDS = 50
const MAX_NAME_LENGTH = 100
/** Most clients and proxies refuse responses with more than 8 or 16 KB of headers. */
const MAX_HEADER_LENGTH = 4_000

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c]
const [LIST, END_OF_LIST, OBJECT, END_OF_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/** Refuses JSON that nests too deep for the stack or has too many values, before parsing it. */
function structureFault(json: Buffer): AppError | undefined {
  const endOfText = textReader(json)
  let depth = 0
  let values = 1
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]
    if (byte === QUOTE) at = endOfText(at)
    else if (byte === END_OF_LIST || byte === END_OF_OBJECT) depth--
    else if (byte === COMMA || byte === LIST || byte === OBJECT) {
      if (byte !== COMMA && ++depth > MAX_NESTING)
        return malformed('malformed_json', `The body is nested deeper than ${MAX_NESTING} levels.`)
      if (++values > MAX_VALUES) return bodyTooLarge(`The body has more than ${MAX_VALUES} values.`)
    }
  }
  return undefined
}

/** Finds the end of a string: byte by byte if it is short or full of escapes, in jumps if it is long and plain. */
function textReader(json: Buffer): (start: number) => number {
  const nextQuote = seeker(json, QUOTE)
  const nextEscape = seeker(json, BACKSLASH)
  return (start) => {
    for (let at = start + 1; ; at = Math.min(nextQuote(at), nextEscape(at)))
      for (let jumpAt = at + 256; at < jumpAt; at++) {
        if (json[at] === QUOTE || at >= json.length) return at
        if (json[at] === BACKSLASH) jumpAt = ++at + 256
      }
  }
}

/** Caches the last position, so all searches together read each byte once. */
function seeker(json: Buffer, byte: number): (from: number) => number {
  let found = -1
  return (from) => {
    if (found < from) found = json.indexOf(byte, from)
    if (found === -1) found = json.length
    return found
  }
}

/** V8 decodes non-ASCII UTF-8 slowly: 10 MB of Japanese take 200 ms, and 40 ms by way of UTF-16. */
const textOf = (utf8: Buffer) =>
  isAscii(utf8) ? utf8.toString('latin1') : transcode(utf8, 'utf8', 'utf16le').toString('utf16le')

/** Parses JSON bodies strictly: UTF-8 only. Leaves the body unread where none is expected. */
export function acceptJson(app: FastifyInstance, deadlines: Deadlines): void {
  const parseJson = app.getDefaultJsonParser('remove', 'remove')
  app.removeAllContentTypeParsers()
  const parse = (req: FastifyRequest, body: Buffer, done: (err: Error | null, value?: unknown) => void) => {
    if (!req.routeOptions.schema?.body) return done(null)
    if (body.length === 0) return req.routeOptions.config.optionalBody ? done(null, {}) : done(emptyBody())
    if (!isUtf8(body)) return done(malformed('malformed_json', 'The body is not valid UTF-8. Send JSON in UTF-8.'))
    const fault = structureFault(body)
    if (fault) return done(fault)
    parseJson(req, textOf(body), (err, value) => {
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
