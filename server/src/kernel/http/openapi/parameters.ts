import { type Components, describeSchema, type Json, refer } from './schemas.ts'

export function parametersIn(place: 'path' | 'query', schema: Json | undefined, components: Components): Json[] {
  const required = new Set((schema?.required as string[] | undefined) ?? [])
  return Object.entries((schema?.properties as Record<string, Json> | undefined) ?? {}).map(([name, one]) => {
    const { description, deprecated, ...rest } = one
    return {
      name,
      in: place,
      required: place === 'path' || (required.has(name) && !('default' in one)),
      ...(description ? { description } : {}),
      ...(deprecated ? { deprecated } : {}),
      schema: describeSchema(rest, components),
    }
  })
}

const header = (name: string, description: string, schema: Json = { type: 'string' }) => ({
  name,
  in: 'header',
  required: false,
  description,
  schema,
})
const KEY = { type: 'string', minLength: 1, maxLength: 255 }

const HEADERS: Record<string, Json> = {
  IdempotencyKey: header('Idempotency-Key', 'Makes the request safe to repeat for 24 hours.', KEY),
  IgnoredIdempotencyKey: header(
    'Idempotency-Key',
    'Checked for its length and otherwise ignored: this changes nothing and is always safe to repeat.',
    KEY,
  ),
  IfNoneMatch: header('If-None-Match', 'Answers 304 when this ETag is still the current one.'),
  IfMatch: header('If-Match', 'Writes only if this ETag is still the current one, else 412.'),
}

export function headerParameters(method: string, reads: boolean, etag: boolean, components: Components): Json[] {
  const names = [
    ...(method === 'POST' ? [reads ? 'IgnoredIdempotencyKey' : 'IdempotencyKey'] : []),
    ...(method === 'GET' && etag ? ['IfNoneMatch'] : []),
    ...(!reads && etag ? ['IfMatch'] : []),
  ]
  return names.map((name) => refer(components, 'parameters', name, HEADERS[name]!))
}
