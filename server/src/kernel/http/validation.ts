import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv'
import type { FastifySchemaCompiler } from 'fastify'
import { CONTROL, isLongerThan } from '../../engines/text/characters.ts'
import { type AppError, type FieldError, invalid, quoted } from '../errors.ts'
import { isUuid } from '../uuid.ts'

/**
 * Bodies with more values get only the first error: the list of all errors could take far more memory than the body.
 */
const MAX_VALUES_WITH_ALL_FAULTS = 5_000

/**
 * What browsers accept in an email field, plus letters of every script. No dot at either end or next to another dot.
 */
const EMAIL_ATOM = "[\\p{L}\\p{M}\\p{N}!#$%&'*+/=?^_`{|}~\\-]+"
const EMAIL_LABEL = '[\\p{L}\\p{N}](?:[\\p{L}\\p{M}\\p{N}\\-]{0,61}[\\p{L}\\p{M}\\p{N}])?'
const EMAIL = new RegExp(
  `^(?=[^@]{1,64}@)${EMAIL_ATOM}(?:\\.${EMAIL_ATOM})*@${EMAIL_LABEL}(?:\\.${EMAIL_LABEL})*$`,
  'u',
)

// The schemas are our own, and the OpenAPI test checks them against the standard.
const options: Options = { strict: false, verbose: true, useDefaults: true, validateSchema: false }
const bodies = prepare(new Ajv({ ...options, coerceTypes: false }))
const bodiesAll = prepare(new Ajv({ ...options, coerceTypes: false, allErrors: true }))
const parameters = prepare(new Ajv({ ...options, allErrors: true }))

function prepare(ajv: Ajv): Ajv {
  ajv.addFormat('uuid', isUuid)
  ajv.addFormat('text', isCleanText)
  ajv.addFormat('email', isEmail)
  ajv.addFormat('date-time', true)
  // The built-in keywords count every character, even in a text that is far too long.
  const isShort = (limit: number, text: string) => !isLongerThan(text, limit)
  const isFilled = (least: number, text: string) => least === 0 || isLongerThan(text, least - 1)
  ajv.removeKeyword('maxLength').addKeyword({ keyword: 'maxLength', type: 'string', validate: isShort, errors: false })
  ajv.removeKeyword('minLength').addKeyword({ keyword: 'minLength', type: 'string', validate: isFilled, errors: false })
  return ajv
}

/** Compiling takes longer than the rest of startup, and most processes never use most of the schemas. */
function compiledOnUse(ajv: Ajv, schema: object): () => ValidateFunction {
  let compiled: ValidateFunction | undefined
  return () => {
    compiled ??= ajv.compile(schema)
    return compiled
  }
}

export function isEmail(text: string): boolean {
  return EMAIL.test(text) && isCleanText(text)
}

export function isCleanText(text: string): boolean {
  return !CONTROL.test(text) && text.isWellFormed()
}

/** Validates requests for Fastify. Never coerces bodies; coerces path and query values, which arrive as text. */
export const validatorCompiler: FastifySchemaCompiler<object> = ({ schema, httpPart }) => {
  if (httpPart !== 'body') {
    const validator = compiledOnUse(parameters, schema)
    const where = httpPart === 'params' ? 'path' : (httpPart ?? 'query').replace('querystring', 'query')
    const convert = converterOf(schema as ParameterSchema)
    return (value: unknown) => {
      convert(value as Record<string, unknown>)
      const validate = validator()
      return validate(value) ? { value } : { error: shapeError(validate.errors, where) }
    }
  }
  const check = bodyChecker(schema)
  return (value: unknown) => {
    const errors = check(value)
    return errors ? { error: shapeError(errors) } : { value }
  }
}

interface ParameterSchema {
  type?: string | string[]
  items?: ParameterSchema
  properties?: Record<string, ParameterSchema>
}

/**
 * Converts path and query values, which arrive as text: plain decimals become numbers, true and false become booleans,
 * and anything else stays text. Ignores case, because some clients write `True`.
 */
function converterOf({ properties = {} }: ParameterSchema) {
  const typed = Object.entries(properties).flatMap(([name, one]) => {
    const type = [(one.items ?? one).type].flat()
    return type.includes('integer') || type.includes('boolean') ? [[name, type.includes('integer')] as const] : []
  })
  const convert = (value: unknown, isInteger: boolean) => {
    if (isInteger) return typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value
    return typeof value === 'string' && /^(?:true|false)$/i.test(value) ? value.toLowerCase() === 'true' : value
  }
  return (values: Record<string, unknown>) => {
    for (const [name, isInteger] of typed) {
      const value = values[name]
      if (value !== undefined)
        values[name] = Array.isArray(value) ? value.map((one) => convert(one, isInteger)) : convert(value, isInteger)
    }
  }
}

/** Validates a value that is not a whole request body, such as one operation of a batch. */
export function bodyChecker(schema: object): (value: unknown) => ErrorObject[] | undefined {
  const firstFault = compiledOnUse(bodies, schema)
  const allFaults = compiledOnUse(bodiesAll, schema)
  return (value) => {
    const first = firstFault()
    if (first(value)) return undefined
    if (countValues(value, MAX_VALUES_WITH_ALL_FAULTS) > MAX_VALUES_WITH_ALL_FAULTS) return first.errors ?? []
    const all = allFaults()
    all(value)
    return all.errors ?? first.errors ?? []
  }
}

/** Counts nested values, including this one. Stops soon after the limit. */
function countValues(value: unknown, limit: number): number {
  if (value === null || typeof value !== 'object') return 1
  let count = 1
  for (const name in value) {
    if (count > limit) break
    count += countValues((value as Record<string, unknown>)[name], limit - count)
  }
  return count
}

function shapeError(errors: ErrorObject[] | null | undefined, where?: string): AppError {
  return invalid(fieldErrors(errors ?? [], where))
}

export function fieldErrors(errors: ErrorObject[], where?: string): FieldError[] {
  const found = new Map<string, FieldError>()
  for (const error of errors) {
    if (error.keyword === 'anyOf' && found.size > 0) continue
    const pointer = pointerOf(error)
    if (!found.has(pointer)) found.set(pointer, { pointer, detail: `${where ? `In the ${where}: ` : ''}${say(error)}` })
    if (found.size === 20) break
  }
  return [...found.values()]
}

function pointerOf(error: ErrorObject): string {
  if (error.keyword !== 'required') return error.instancePath
  return `${error.instancePath}/${(error.params.missingProperty as string).replace(/~/g, '~0').replace(/\//g, '~1')}`
}

function say({ keyword, params, data, schema, message }: ErrorObject): string {
  switch (keyword) {
    case 'required':
      return `"${params.missingProperty}" is required and missing.`
    case 'type':
      return `Expected ${typeWords(schema as string | string[])}, got ${data === null ? 'null' : `${typeof data === 'object' ? (Array.isArray(data) ? 'an array' : 'an object') : `${typeof data} ${quoted(data)}`}`}.`
    case 'enum':
      return `${quoted(data)} is not allowed. Use one of: ${(schema as unknown[]).map(String).join(', ')}.`
    case 'format':
      return formatWords(params.format, data)
    case 'pattern':
      return schema === '\\S' ? 'It must not be blank.' : `${quoted(data)} does not have the right form (${schema}).`
    case 'minLength':
      return schema === 1 ? 'It must not be empty.' : `It must have at least ${schema} characters.`
    case 'maxLength':
      return `It has more than ${schema} characters. Shorten it.`
    case 'minItems':
      return `It must have at least ${schema} entries.`
    case 'maxItems':
      return `It has ${(data as unknown[]).length} entries; at most ${schema} are allowed.`
    case 'minimum':
      return `${quoted(data)} is too small: at least ${schema}.`
    case 'maximum':
      return `${quoted(data)} is too large: at most ${schema}.`
    default:
      return `${quoted(data)} ${message}.`
  }
}

function formatWords(format: string, data: unknown): string {
  if (format === 'uuid') return `${quoted(data)} is not a UUID.`
  if (format === 'email') return `${quoted(data)} is not an e-mail address.`
  if (format === 'text')
    return 'It contains a control character (only tab, LF and CR are allowed) or a broken surrogate.'
  return `${quoted(data)} is not a valid ${format}.`
}

function typeWords(type: string | string[]): string {
  const words: Record<string, string> = {
    integer: 'a whole number',
    object: 'an object',
    array: 'an array',
    null: 'null',
  }
  return [type]
    .flat()
    .map((one) => words[one] ?? `a ${one}`)
    .join(' or ')
}
