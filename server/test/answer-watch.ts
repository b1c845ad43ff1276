import diagnostics from 'node:diagnostics_channel'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { Ajv, type ValidateFunction } from 'ajv'
import type { FastifyReply, FastifyRequest } from 'fastify'

const found: string[] = []
let watching = false
const validators = new WeakMap<object, ValidateFunction>()
export const addFormats = (ajv: Ajv) =>
  ajv
    .addFormat('uuid', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    .addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/)
    .addFormat('text', true)
    .addFormat('email', true)
const ajv = addFormats(new Ajv({ strict: false, allErrors: true, validateSchema: false }))

/** Routes whose JSON has a shape that others define. */
const WITHOUT_SCHEMA = new Set(['/livez', '/readyz', '/mcp', '/mcp/read'])

/**
 * Checks the bytes of every answer against what its route declares. Many answers do not pass the serialiser: they are
 * put together from text, repeated from what was stored, or streamed. A field that is not declared is a fault.
 */
export function watchAnswers(): void {
  if (watching) return
  watching = true
  diagnostics.subscribe('tracing:fastify.request.handler:start', (message) => {
    const { request, reply } = message as { request: FastifyRequest; reply: FastifyReply }
    const { raw } = reply
    const { end, write } = raw
    raw.end = ((...args: unknown[]) => {
      checkAnswer(request, reply, args[0])
      return Reflect.apply(end, raw, args)
    }) as typeof raw.end
    raw.write = ((...args: unknown[]) => {
      checkEvents(request, args[0])
      return Reflect.apply(write, raw, args)
    }) as typeof raw.write
  })
}

export function failOnUndeclaredAnswers(): void {
  const [first] = found.splice(0)
  if (first) throw new Error(first)
}

function checkAnswer(request: FastifyRequest, reply: FastifyReply, payload: unknown): void {
  const type = String(reply.raw.getHeader('content-type') ?? '')
  if (!type.startsWith('application/json') || payload === undefined || payload === null || payload === '') return
  const route = request.routeOptions
  const declared = (route.schema?.response ?? {}) as Record<string, object>
  const schema = declared[reply.raw.statusCode]
  if (schema) check(schema, JSON.parse(decoded(reply, payload)), `${route.method} ${route.url} ${reply.raw.statusCode}`)
  else if (!WITHOUT_SCHEMA.has(route.url ?? ''))
    found.push(`${route.method} ${route.url} answers ${reply.raw.statusCode} with JSON that it does not declare.`)
}

function decoded(reply: FastifyReply, payload: unknown): string {
  const encoding = reply.raw.getHeader('content-encoding')
  if (encoding === 'br') return brotliDecompressSync(payload as Buffer).toString()
  return encoding === 'gzip' ? gunzipSync(payload as Buffer).toString() : String(payload)
}

function checkEvents(request: FastifyRequest, chunk: unknown): void {
  const { streams } = request.routeOptions.config
  const [, event, data] = /^(?:id: .*\n)?event: (.*)\ndata: (.*)\n\n$/.exec(String(chunk)) ?? []
  if (!streams || event === undefined) return
  const schema = streams[event]
  if (schema) check(schema, JSON.parse(data!), `${request.routeOptions.url} event "${event}"`)
  else found.push(`${request.routeOptions.url} sends the event "${event}" that it does not declare.`)
}

function check(schema: object, body: unknown, where: string): void {
  let validate = validators.get(schema)
  if (!validate) {
    validate = ajv.compile(closed(schema) as object)
    validators.set(schema, validate)
  }
  if (!validate(body)) found.push(`${where} answers what it does not declare: ${ajv.errorsText(validate.errors)}`)
}

/** The schema with no room for other fields than those it names. */
export function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (schema === null || typeof schema !== 'object') return schema
  const inner = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, closed(value)]))
  return 'properties' in inner && !('additionalProperties' in inner) && [inner.type].flat().includes('object')
    ? { ...inner, additionalProperties: false }
    : inner
}
