import { exampleOf } from './example.ts'

export type Json = Record<string, unknown>

/** What operations refer to: `components` of the document, by section and name. */
export type Components = Record<'schemas' | 'parameters' | 'headers' | 'responses', Record<string, Json>>

export function refer(components: Components, section: keyof Components, name: string, part: Json): Json {
  components[section][name] ??= part
  return { $ref: `#/components/${section}/${name}` }
}

/** A JSON body with its example. */
export const content = (shape: Json, components: Components): Json => ({
  schema: describeSchema(shape, components),
  example: exampleOf(shape),
})

/** A caller may leave out a field with a default. Named schemas are also those of answers, which have all fields. */
export function asSent(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(asSent)
  if (node === null || typeof node !== 'object' || 'x-component' in node) return node
  const sent = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, asSent(value)]))
  const { required, properties } = sent as { required?: string[]; properties?: Record<string, Json> }
  if (!Array.isArray(required) || !properties) return sent
  return { ...sent, required: required.filter((name) => !('default' in (properties[name] ?? {}))) }
}

/**
 * Replaces named schemas by references, removes internal keywords, and adds rules that are documented but checked
 * outside the validator of the route.
 */
export function describeSchema(node: unknown, components: Components): unknown {
  if (Array.isArray(node)) return node.map((one) => describeSchema(one, components))
  if (node === null || typeof node !== 'object') return node
  if ('x-shown-as' in node) return node['x-shown-as']
  const { 'x-component': component, 'x-split': _split, 'x-documented': documented, ...rest } = node as Json
  if (documented) rest.properties = { ...(rest.properties as Json), ...(documented as Json) }
  const plain = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [key, key === 'examples' ? value : describeSchema(value, components)]),
  )
  if (plain.format === 'text') delete plain.format
  return component ? reference(component as Component, plain, components) : plain
}

interface Component {
  name: string
  schema: object
}

/** What may stand beside a reference. */
const ANNOTATIONS = ['description', 'deprecated', 'default', 'examples']

/** Refers to a named schema, if `plain` differs from it in its annotations only, or is the same or null. */
function reference({ name, schema }: Component, plain: Json, components: Components): Json {
  const shared = components.schemas[name] ?? (describeSchema(schema, components) as Json)
  const orNull = String(plain.type) === `${shared.type},null`
  const compared = orNull ? { ...plain, type: shared.type } : plain
  const differing = [...new Set([...Object.keys(shared), ...Object.keys(compared)])].filter(
    (key) => JSON.stringify(compared[key]) !== JSON.stringify(shared[key]),
  )
  if (differing.some((key) => !ANNOTATIONS.includes(key))) return plain
  const reference = refer(components, 'schemas', name, shared)
  const beside = Object.fromEntries(differing.filter((key) => key in plain).map((key) => [key, plain[key]]))
  return { ...(orNull ? { anyOf: [reference, { type: 'null' }] } : reference), ...beside }
}
