import type { TSchema } from 'typebox'

type Json = Record<string, unknown>

/** A call is checked against these, and a refusal names them. They would cost tokens at every step. */
const CHECKED_ONLY = new Set([
  'examples',
  'pattern',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
])

/** Converts a schema for a model: removes what only our validator and our documentation use. */
export const modelSchema = (schema: TSchema): object => plain(schema) as object

function plain(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(plain)
  if (node === null || typeof node !== 'object') return node
  const fields = Object.entries(node as Json).filter(
    ([name]) => !CHECKED_ONLY.has(name) && !name.startsWith('x-') && !name.startsWith('~'),
  )
  const kept: Json = Object.fromEntries(
    fields.map(([name, value]) => [
      name,
      name === 'properties' ? eachOf(value as Json) : name === 'enum' || name === 'default' ? value : plain(value),
    ]),
  )
  if (kept.format === 'text' || kept.format === 'uuid') delete kept.format
  // A field with a default is optional.
  if (Array.isArray(kept.required) && kept.properties) {
    const properties = kept.properties as Record<string, Json>
    const required = (kept.required as string[]).filter((name) => !('default' in (properties[name] ?? {})))
    if (required.length > 0) kept.required = required
    else delete kept.required
  }
  return kept
}

const eachOf = (properties: Json) =>
  Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, plain(value)]))
