import type { TSchema } from 'typebox'

type Json = Record<string, unknown>

/** Converts a schema for a model: removes what only our validator and our documentation use. */
export const modelSchema = (schema: TSchema): object => plain(schema) as object

function plain(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(plain)
  if (node === null || typeof node !== 'object') return node
  const { examples: _examples, pattern: _pattern, ...rest } = node as Json
  const fields = Object.entries(rest).filter(([name]) => !name.startsWith('x-') && !name.startsWith('~'))
  const kept: Json = Object.fromEntries(
    fields.map(([name, value]) => [
      name,
      name === 'properties' ? eachOf(value as Json) : name === 'enum' || name === 'default' ? value : plain(value),
    ]),
  )
  if (kept.format === 'text') delete kept.format
  // A field with a default is optional.
  if (Array.isArray(kept.required) && kept.properties) {
    const properties = kept.properties as Record<string, Json>
    kept.required = (kept.required as string[]).filter((name) => !('default' in (properties[name] ?? {})))
  }
  return kept
}

const eachOf = (properties: Json) =>
  Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, plain(value)]))
