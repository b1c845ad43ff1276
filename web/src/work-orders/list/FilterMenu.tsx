import { useNavigate, useRouteContext, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { cx } from '../../lib/cx.ts'
import { Button } from '../../ui/Button.tsx'
import { IconBookmark, IconCheck, IconChevronRight } from '../../ui/icons.ts'
import { Kbd } from '../../ui/Kbd.tsx'
import { Pick } from '../../ui/Pick.tsx'
import { useClaimed } from '../claims.tsx'
import { countValues, filterRows } from '../rows.ts'
import { type Filter, filtersOf, type WorkOrderSearch, writeFilter } from '../search.ts'
import { namedView, queryOf } from '../views/saved-views.ts'
import { FIELDS, type Field, type WorkOrderRow } from '../work-order.ts'
import css from './FilterMenu.module.css'
import { FIELD_NAMES, FieldIcon, filterOptions } from './filter-fields.tsx'
import { useProjectVocabulary } from './use-project-vocabulary.ts'

/** Field, operator, values. The counts follow the other filters. */
export function FilterMenu({
  all,
  hasTimes,
  onClose,
}: {
  all: WorkOrderRow[]
  hasTimes: boolean
  onClose(options?: { keepFocus?: boolean }): void
}) {
  const search = useSearch({ from: '/signed-in/p/$projectId/work-orders' })
  const navigate = useNavigate({ from: '/p/$projectId/work-orders' })
  const vocabulary = useProjectVocabulary()
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const claimed = useClaimed(project.id)
  const [field, setField] = useState<Field>('status')
  const filters = filtersOf(search)
  const current: Filter = filters.find((one) => one.field === field) ?? { field, negated: false, values: [] }
  const set = (next: Omit<Filter, 'field'>) =>
    void navigate({
      search: (old) => ({ ...old, [field]: writeFilter(next) }) as WorkOrderSearch,
      replace: true,
    })
  const toggle = (value: string) => {
    const { values } = current
    if (field === 'updated') return set({ negated: false, values: values[0] === value ? [] : [value] })
    set({ ...current, values: values.includes(value) ? values.filter((one) => one !== value) : [...values, value] })
  }
  const counts = countValues(all, filters, field, claimed)
  const options = filterOptions(field, vocabulary).map((option) =>
    field === 'updated' ? option : { ...option, count: counts.get(option.value) ?? 0 },
  )
  const clear = () =>
    void navigate({ search: (old) => ({ view: old.view, sort: old.sort, group: old.group }) as WorkOrderSearch })

  return (
    <div className={css.menu} data-own-keys>
      <div className={css.fields}>
        <h3 className={css.heading}>Field</h3>
        {FIELDS.filter((one) => hasTimes || one !== 'updated').map((one) => {
          const used = filters.find((filter) => filter.field === one)
          return (
            <button
              key={one}
              type="button"
              className={cx(css.field, one === field && css.current)}
              onClick={() => setField(one)}
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
              onClick={() => set({ ...current, negated })}
            >
              <span className={css.grow}>{negated ? 'is none of' : 'is any of'}</span>
              {negated === current.negated && <IconCheck size={15} />}
            </button>
          ))}
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
              onChange={(event) => set({ negated: false, values: [event.target.value] })}
            />
          </label>
        ) : (
          <Pick
            key={field}
            placeholder={`Search ${FIELD_NAMES[field].toLowerCase()}`}
            options={options}
            selected={current.values}
            multiple
            onPick={toggle}
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
        <Button
          icon={<IconBookmark size={15} stroke={1.75} />}
          onClick={() => {
            onClose({ keepFocus: true })
            namedView.set({ query: queryOf(search) })
          }}
        >
          Save as view
        </Button>
        <Button look="primary" onClick={() => onClose()}>
          Done <Kbd keys="esc" onAccent />
        </Button>
      </div>
    </div>
  )
}
