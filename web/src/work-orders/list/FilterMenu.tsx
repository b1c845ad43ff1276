import { useNavigate, useRouteContext, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { cx } from '../../lib/cx.ts'
import { useMayWrite } from '../../lib/may-write.ts'
import { Button } from '../../ui/Button.tsx'
import { IconBookmark, IconCheck, IconChevronRight } from '../../ui/icons.ts'
import { Kbd } from '../../ui/Kbd.tsx'
import { type Option, Pick } from '../../ui/Pick.tsx'
import { useClaimed } from '../claims.tsx'
import { countValues, filterRows } from '../rows/rows.ts'
import { type Filter, filtersOf, type WorkOrderSearch, writeFilter } from '../search.ts'
import { namedView, queryOf } from '../views/saved-views.ts'
import { FIELDS, type Field, type WorkOrderRow } from '../work-order.ts'
import css from './FilterMenu.module.css'
import { describeFilter, FIELD_NAMES, FieldIcon, filterOptions, typedFilters } from './filter-fields.tsx'
import { useProjectVocabulary } from './use-project-vocabulary.ts'

/** Field, operator, values. The counts follow the other filters. */
export function FilterMenu({ all, hasTimes, onClose }: { all: WorkOrderRow[]; hasTimes: boolean; onClose(): void }) {
  const search = useSearch({ from: '/signed-in/p/$projectId/work-orders' })
  const navigate = useNavigate({ from: '/p/$projectId/work-orders' })
  const vocabulary = useProjectVocabulary()
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const claimed = useClaimed(project.id)
  const [field, setField] = useState<Field>('status')
  const [text, setText] = useState('')
  // A new list after a choice by words, with an empty field.
  const [round, setRound] = useState(0)
  const fields = FIELDS.filter((one) => hasTimes || one !== 'updated')
  const filters = filtersOf(search)
  const filterOf = (wanted: Field): Filter =>
    filters.find((one) => one.field === wanted) ?? { field: wanted, negated: false, values: [] }
  const mayWrite = useMayWrite()
  const current = filterOf(field)
  const set = ({ field: changed, ...next }: Filter) =>
    void navigate({
      search: (old) => ({ ...old, [changed]: writeFilter(next) }) as WorkOrderSearch,
      replace: true,
    })
  const show = (next: Field) => {
    setField(next)
    setText('')
    setRound(round + 1)
  }
  const toggle = (old: Filter, value: string) => {
    const has = old.values.includes(value)
    const isSingle = old.field === 'updated' || old.field === 'title'
    const others = isSingle ? [] : old.values.filter((one) => one !== value)
    set({ ...old, values: has ? others : [...others, value] })
  }
  const counted = (of: Field, options: Option[]) => {
    if (of === 'updated' || of === 'title') return options
    const counts = countValues(all, filters, of, claimed)
    return options.map((option) => ({ ...option, count: counts.get(option.value) ?? 0 }))
  }
  const typed = typedFilters(text, fields, vocabulary)
  const typedOptions = typed.map(({ field: of, value, option }) => ({
    ...counted(of, [option])[0]!,
    value: `${of}:${value}`,
    label: describeFilter({ field: of, negated: false, values: [value] }, vocabulary),
    words: text,
  }))
  const pick = (value: string) => {
    const found = typed.find((one) => `${one.field}:${one.value}` === value)
    if (!found) return toggle(current, value)
    const old = filterOf(found.field)
    // The words say "is", so they replace what is left out.
    toggle(old.negated ? { ...old, negated: false, values: [] } : old, found.value)
    show(found.field)
  }
  const clear = () =>
    void navigate({ search: (old) => ({ view: old.view, sort: old.sort, group: old.group }) as WorkOrderSearch })

  return (
    <div className={css.menu} data-own-keys>
      <div className={css.fields}>
        <h3 className={css.heading}>Field</h3>
        {fields.map((one) => {
          const used = filters.find((filter) => filter.field === one)
          return (
            <button
              key={one}
              type="button"
              className={cx(css.field, one === field && css.current)}
              aria-pressed={one === field}
              onClick={() => show(one)}
            >
              <FieldIcon field={one} />
              <span className={css.grow}>{FIELD_NAMES[one]}</span>
              {used && <span className={css.used}>{used.values.length}</span>}
              <IconChevronRight size={14} stroke={1.75} />
            </button>
          )
        })}
      </div>
      {field !== 'title' && field !== 'updated' && (
        <div className={css.operators}>
          <h3 className={css.heading}>Operator</h3>
          {[false, true].map((negated) => (
            <button
              key={String(negated)}
              type="button"
              className={cx(css.field, negated === current.negated && css.current)}
              aria-pressed={negated === current.negated}
              onClick={() => set({ ...current, negated })}
            >
              <span className={css.grow}>{negated ? 'is none of' : 'is any of'}</span>
              {negated === current.negated && <IconCheck size={15} />}
            </button>
          ))}
          <p className={css.hint}>
            Type the field and the value at once: <code>pri high</code>, <code>as ada</code>, <code>lab bug</code>.
          </p>
        </div>
      )}
      <div className={css.values}>
        {field === 'title' ? (
          <label className={css.title}>
            Title contains
            <input
              key="title"
              className={css.input}
              defaultValue={current.values[0] ?? ''}
              onChange={(event) => set({ field, negated: false, values: [event.target.value] })}
            />
          </label>
        ) : (
          <Pick
            key={round}
            placeholder={`Search ${FIELD_NAMES[field].toLowerCase()}`}
            options={[...counted(field, filterOptions(field, vocabulary)), ...typedOptions]}
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
            {filterRows(all, filters, claimed).length} of {all.length}
          </strong>{' '}
          match
        </span>
        <span className={css.grow} />
        <Button look="quiet" onClick={clear}>
          Clear
        </Button>
        {mayWrite && (
          <Button
            icon={<IconBookmark size={15} stroke={1.75} />}
            onClick={() => {
              onClose()
              namedView.set({ query: queryOf(search) })
            }}
          >
            Save as view
          </Button>
        )}
        <Button look="primary" onClick={onClose}>
          Done <Kbd keys="esc" onAccent />
        </Button>
      </div>
    </div>
  )
}
