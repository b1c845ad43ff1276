interface Shape {
  type?: string | string[]
  examples?: unknown[]
  default?: unknown
  enum?: unknown[]
  properties?: Record<string, Shape>
  items?: Shape
  anyOf?: Shape[]
}

/** Builds a complete example from the examples of the fields. */
export function exampleOf(shape: object): unknown {
  const { examples, enum: values, default: standard, properties, items, anyOf, type } = shape as Shape
  if (examples && examples.length > 0) return examples[0]
  if (standard !== undefined) return standard
  if (values && values.length > 0) return values[0]
  if (anyOf?.[0]) return exampleOf(anyOf[0])
  if (properties) return Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, exampleOf(one)]))
  if (items) return [exampleOf(items)]
  const kind = Array.isArray(type) ? type[0] : type
  if (kind === 'integer' || kind === 'number') return 1
  if (kind === 'boolean') return false
  if (kind === 'array') return []
  if (kind === 'object') return {}
  return kind === 'string' ? 'text' : null
}
