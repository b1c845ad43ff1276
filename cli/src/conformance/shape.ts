/** Says what is wrong with a value: one sentence for each fault, none if it has the shape. */
export type Shape = (value: unknown, at: string) => string[]

const shown = (value: unknown) => (JSON.stringify(value) ?? 'missing').slice(0, 80)

const matching =
  (description: string, test: (value: unknown) => boolean): Shape =>
  (value, at) =>
    test(value) ? [] : [`${at} is ${shown(value)}, not ${description}`]

const isText = (value: unknown): value is string => typeof value === 'string'
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

export const text = matching('a string', isText)
export const uuid = matching('a uuid', (value) => isText(value) && UUID.test(value))
export const time = matching('a time in UTC with milliseconds', (value) => isText(value) && TIME.test(value))
export const integer = matching('an integer', Number.isInteger)
export const bool = matching('a boolean', (value) => typeof value === 'boolean')
export const anything: Shape = (value, at) => (value === undefined ? [`${at} is missing`] : [])

export const exactly = (expected: unknown) => matching(shown(expected), (value) => value === expected)

export const oneOf = (...values: string[]) =>
  matching(`one of ${values.join(', ')}`, (value) => values.includes(value as string))

export const nullable =
  (shape: Shape): Shape =>
  (value, at) =>
    value === null ? [] : shape(value, at)

export const list =
  (item: Shape): Shape =>
  (value, at) =>
    Array.isArray(value)
      ? value.flatMap((one, index) => item(one, `${at}[${index}]`))
      : [`${at} is ${shown(value)}, not a list`]

/** An object with at least these fields. A server may show more. */
export const object =
  (fields: Record<string, Shape>): Shape =>
  (value, at) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.entries(fields).flatMap(([name, shape]) =>
          shape((value as Record<string, unknown>)[name], `${at}.${name}`),
        )
      : [`${at} is ${shown(value)}, not an object`]

/** An object that is used as a map. */
export const mapOf =
  (entry: Shape): Shape =>
  (value, at) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.entries(value).flatMap(([name, one]) => entry(one, `${at}.${name}`))
      : [`${at} is ${shown(value)}, not an object`]
