import type { ReactNode } from 'react'
import type { Filter } from '../../lib/filters.ts'
import type { Option } from '../Pick.tsx'

/** What a list can be filtered by. */
export interface FilterField<Field extends string = string> {
  field: Field
  name: string
  icon: ReactNode
  /** `words`: text that is typed. `one`: one of the options. `many`: any or none of them. */
  takes: 'words' | 'one' | 'many'
  options: Option[]
}

export interface TypedFilter<Field extends string> {
  field: Field
  value: string
  option: Option
}

/** What `pri high` or `as ada` can mean: the values with these words, of the fields that begin so. */
export function typedFilters<Field extends string>(
  text: string,
  fields: readonly FilterField<Field>[],
): TypedFilter<Field>[] {
  const [, begin, words] = /^(\S+)\s+(.+)$/.exec(text.trim().toLowerCase()) ?? []
  if (!begin || !words) return []
  return fields
    .filter(({ name }) => name.toLowerCase().startsWith(begin))
    .flatMap(({ field, icon, takes, options }): TypedFilter<Field>[] => {
      if (takes === 'words') {
        const value = text.trim().slice(begin.length).trim()
        return [{ field, value, option: { value, label: '', icon } }]
      }
      return options
        .filter(({ label }) => label.toLowerCase().includes(words))
        .map((option) => ({ field, value: option.value, option }))
    })
}

/** The filter after a value was chosen, or taken back. */
export function toggleValue<Field extends string>(
  filter: Filter<Field>,
  value: string,
  takes: FilterField['takes'],
): Filter<Field> {
  const others = takes === 'many' ? filter.values.filter((one) => one !== value) : []
  return { ...filter, values: filter.values.includes(value) ? others : [...others, value] }
}
