import { type ReactNode, useState } from 'react'
import { cx } from '../../lib/cx.ts'
import type { Filter } from '../../lib/filters.ts'
import { formatCount } from '../../lib/numbers.ts'
import { Button } from '../Button.tsx'
import { IconCheck, IconChevronRight } from '../icons.ts'
import { Kbd } from '../Kbd.tsx'
import { Pick } from '../Pick.tsx'
import css from './FilterMenu.module.css'
import { type FilterField, toggleValue, typedFilters } from './filter-field.ts'

interface Props<Field extends string> {
  fields: FilterField<Field>[]
  filters: Filter<Field>[]
  /** How many match each value of a field, with the other filters. */
  countsOf(field: Field): ReadonlyMap<string, number>
  describe(filter: Filter<Field>): string
  hint: ReactNode
  matching: number
  total: number
  onChange(filter: Filter<Field>): void
  onClear(): void
  onClose(): void
  /** More buttons at the bottom. */
  children?: ReactNode
}

/** Field, operator, values. The counts follow the other filters. */
export function FilterMenu<Field extends string>(props: Props<Field>) {
  const { fields, filters, countsOf, describe, hint, matching, total, onChange, onClear, onClose, children } = props
  const [chosen, setChosen] = useState(fields[0]!.field)
  const [text, setText] = useState('')
  // A new list after a choice by words, with an empty field.
  const [round, setRound] = useState(0)
  const fieldOf = (wanted: Field) => fields.find((one) => one.field === wanted)!
  const filterOf = (wanted: Field): Filter<Field> =>
    filters.find((one) => one.field === wanted) ?? { field: wanted, negated: false, values: [] }
  const { field, name, takes, options } = fieldOf(chosen)
  const current = filterOf(field)
  const show = (next: Field) => {
    setChosen(next)
    setText('')
    setRound(round + 1)
  }
  const counted = (of: Field, some: typeof options) => {
    if (fieldOf(of).takes !== 'many') return some
    const counts = countsOf(of)
    return some.map((option) => ({ ...option, count: counts.get(option.value) ?? 0 }))
  }
  const typed = typedFilters(text, fields)
  const typedOptions = typed.map(({ field: of, value, option }) => ({
    ...counted(of, [option])[0]!,
    value: `${of}:${value}`,
    label: describe({ field: of, negated: false, values: [value] }),
    words: text,
  }))
  const pick = (value: string) => {
    const found = typed.find((one) => `${one.field}:${one.value}` === value)
    if (!found) return onChange(toggleValue(current, value, takes))
    const old = filterOf(found.field)
    // The words say "is", so they replace what is left out.
    const from = old.negated ? { ...old, negated: false, values: [] } : old
    onChange(toggleValue(from, found.value, fieldOf(found.field).takes))
    show(found.field)
  }
  return (
    <div className={css.menu} data-own-keys>
      <div className={css.fields}>
        <h3 className={css.heading}>Field</h3>
        {fields.map((one) => {
          const used = filters.find((filter) => filter.field === one.field)
          return (
            <button
              key={one.field}
              type="button"
              className={cx(css.field, one.field === field && css.current)}
              aria-pressed={one.field === field}
              onClick={() => show(one.field)}
            >
              {one.icon}
              <span className={css.grow}>{one.name}</span>
              {used && <span className={css.used}>{used.values.length}</span>}
              <IconChevronRight size={14} stroke={1.75} />
            </button>
          )
        })}
      </div>
      {takes === 'many' && (
        <div className={css.operators}>
          <h3 className={css.heading}>Operator</h3>
          {[false, true].map((negated) => (
            <button
              key={String(negated)}
              type="button"
              className={cx(css.field, negated === current.negated && css.current)}
              aria-pressed={negated === current.negated}
              onClick={() => onChange({ ...current, negated })}
            >
              <span className={css.grow}>{negated ? 'is none of' : 'is any of'}</span>
              {negated === current.negated && <IconCheck size={15} />}
            </button>
          ))}
          <p className={css.hint}>{hint}</p>
        </div>
      )}
      <div className={css.values}>
        {takes === 'words' ? (
          <label className={css.title}>
            {name} contains
            <input
              key={field}
              className={css.input}
              defaultValue={current.values[0] ?? ''}
              onChange={(event) => onChange({ field, negated: false, values: [event.target.value] })}
            />
          </label>
        ) : (
          <Pick
            key={round}
            placeholder={`Search ${name.toLowerCase()}`}
            options={[...counted(field, options), ...typedOptions]}
            selected={[
              ...current.values,
              ...filters.flatMap((one) => one.values.map((value) => `${one.field}:${value}`)),
            ]}
            multiple
            onText={setText}
            onPick={pick}
            onDone={onClose}
          />
        )}
      </div>
      <div className={css.foot}>
        <span>
          <strong>
            {formatCount(matching)} of {formatCount(total)}
          </strong>{' '}
          match
        </span>
        <span className={css.grow} />
        <Button look="quiet" onClick={onClear}>
          Clear
        </Button>
        {children}
        <Button look="primary" onClick={onClose}>
          Done <Kbd keys="esc" onAccent />
        </Button>
      </div>
    </div>
  )
}
