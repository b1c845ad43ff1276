import { type Static, type TSchema, Type } from 'typebox'

/** The words every shape on the wire is made of. Whatever a client may send is bounded. */

export const Uuid = Type.String({ format: 'uuid', examples: ['019a84d2-7c5e-7b31-9a60-2f4f5f6f7a81'] })
export const Time = Type.String({ format: 'date-time', examples: ['2026-11-15T09:30:00.000Z'] })

/** Text without control characters other than tab, LF and CR, and without lone surrogates. */
export const Text = (max: number, options: Record<string, unknown> = {}) =>
  Type.String({ maxLength: max, format: 'text', ...options })

/** Text that says something: not empty and not only white space. */
export const FilledText = (max: number, options: Record<string, unknown> = {}) =>
  Text(max, { minLength: 1, pattern: '\\S', ...options })

export const Title = (options: Record<string, unknown> = {}) => FilledText(500, options)
export const Markdown = (options: Record<string, unknown> = {}) => Text(2_000_000, options)

export const OneOf = <const T extends string>(values: readonly T[], options: Record<string, unknown> = {}) =>
  Type.Unsafe<T>({ type: 'string', enum: [...values], ...options })

/** What `object` says on a returned thing. */
export const Kind = <const T extends string>(kind: T) => Type.Unsafe<T>({ type: 'string', enum: [kind] })

/** `type: [x, "null"]` instead of a union: validators say one error for it, and the serialiser need not try branches. */
export function Nullable<T extends TSchema>(schema: T, options: Record<string, unknown> = {}) {
  const plain = schema as unknown as { type: string; enum?: unknown[] }
  return Type.Unsafe<Static<T> | null>({
    ...schema,
    ...options,
    type: [plain.type, 'null'],
    ...(plain.enum ? { enum: [...plain.enum, null] } : {}),
  })
}

/** Gives a shape its name in `components.schemas` of the OpenAPI document. */
export function named<T extends TSchema>(name: string, schema: T): T {
  return { ...schema, 'x-component': name }
}

export const Data = <T extends TSchema>(shape: T) => Type.Object({ data: shape })
export const Items = <T extends TSchema>(shape: T) => Type.Object({ items: Type.Array(shape) })

/** A filter that may repeat or be comma separated; `split: false` for free text, which may contain commas. */
export const Filter = <T extends TSchema>(item: T, description: string, { split = true } = {}) =>
  Type.Optional(Type.Array(item, { description, 'x-split': split, maxItems: 100 }))

/** An answer that is not JSON but the bytes of a file. */
export const Bytes = Type.Unsafe<never>({ 'x-bytes': true })

/** 204 and 304: nothing in the body. */
export const Empty = Type.Null({ description: 'No content.' })
