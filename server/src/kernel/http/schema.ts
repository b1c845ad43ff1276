import { type Static, type TSchema, Type } from 'typebox'

/** Building blocks of all API schemas. Everything that a client can send is bounded. */

/** Names a schema in `components.schemas` of the OpenAPI document. */
export function named<T extends TSchema>(name: string, schema: T): T {
  return { ...schema, 'x-component': { name, schema } }
}

export const Uuid = named('Uuid', Type.String({ format: 'uuid', examples: ['019a84d2-7c5e-7b31-9a60-2f4f5f6f7a81'] }))
export const Time = named('Time', Type.String({ format: 'date-time', examples: ['2026-11-15T09:30:00.000Z'] }))

/** Text without control characters except tab, LF and CR, and without lone surrogates. */
export const Text = (max: number, options: Record<string, unknown> = {}) =>
  Type.String({ maxLength: max, format: 'text', ...options })

/** Text that is not blank. */
export const FilledText = (max: number, options: Record<string, unknown> = {}) =>
  Text(max, { minLength: 1, pattern: '\\S', ...options })

export const Title = (options: Record<string, unknown> = {}) => FilledText(500, options)
export const MARKDOWN_LENGTH = 2_000_000
export const Markdown = (options: Record<string, unknown> = {}) => Text(MARKDOWN_LENGTH, options)

export const OneOf = <const T extends string>(values: readonly T[], options: Record<string, unknown> = {}) =>
  Type.Unsafe<T>({ type: 'string', enum: [...values], ...options })

/** The `object` field of a returned resource. */
export const Kind = <const T extends string>(kind: T) => Type.Unsafe<T>({ type: 'string', enum: [kind] })

/**
 * Uses `type: [x, "null"]` instead of a union: validators report one error, and the serializer has no branches to try.
 */
export function Nullable<T extends TSchema>(schema: T, options: Record<string, unknown> = {}) {
  return Type.Unsafe<Static<T> | null>({ ...orNull(schema as Shape), ...options })
}

interface Shape {
  type?: string
  enum?: unknown[]
  'x-component'?: { name: string; schema: Shape }
}

/** A named value has a named nullable form. */
function orNull(shape: Shape): object {
  const { 'x-component': component, type, enum: values } = shape
  const isNamedValue = component && type !== 'object' && type !== 'array'
  return {
    ...shape,
    type: [type, 'null'],
    ...(values ? { enum: [...values, null] } : {}),
    ...(isNamedValue ? { 'x-component': { name: `Nullable${component.name}`, schema: orNull(component.schema) } } : {}),
  }
}

export const Data = <T extends TSchema>(shape: T) => Type.Object({ data: shape })
export const Items = <T extends TSchema>(shape: T) => Type.Object({ items: Type.Array(shape) })

/** A filter that may repeat or be comma-separated. Use `split: false` for free text, which may contain commas. */
export const Filter = <T extends TSchema>(item: T, description: string, { split = true } = {}) =>
  Type.Optional(Type.Array(item, { description, 'x-split': split, maxItems: 100 }))

/** A response with the bytes of a file instead of JSON. */
export const Bytes = Type.Unsafe<never>({ 'x-bytes': true })

/** The body of 204 and 304. */
export const Empty = Type.Null({ description: 'No content.' })
