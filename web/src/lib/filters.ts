/*
 * Filters in an address: `status=ready,blocked` is any of them, `status=!completed` none of them.
 */

export interface Filter<Field extends string = string> {
  field: Field
  negated: boolean
  values: string[]
}

function parse(text: string): Omit<Filter, 'field'> {
  const negated = text.startsWith('!')
  return { negated, values: (negated ? text.slice(1) : text).split(',') }
}

export const writeFilter = ({ negated, values }: Omit<Filter, 'field'>): string | undefined =>
  values.length === 0 || values[0] === '' ? undefined : (negated ? '!' : '') + values.join(',')

/** Leaves out values that mean nothing. */
export function readFilter(text: string, isKnown: (value: string) => boolean): string | undefined {
  const { negated, values } = parse(text)
  return writeFilter({ negated, values: values.filter(isKnown) })
}

/** The filters that an address holds. Those of words have one value, whatever is in it. */
export function filtersIn<Field extends string>(
  search: Partial<Record<Field, string | undefined>>,
  fields: readonly Field[],
  isOfWords: (field: Field) => boolean,
): Filter<Field>[] {
  return fields.flatMap((field) => {
    const text = search[field]
    if (!text) return []
    return [isOfWords(field) ? { field, negated: false, values: [text] } : { field, ...parse(text) }]
  })
}
