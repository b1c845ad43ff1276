import { useState } from 'react'
import type { Filter } from '../lib/filters.ts'
import { BatchAction, BatchBar } from '../ui/BatchBar.tsx'
import { Button } from '../ui/Button.tsx'
import { FieldList, FieldOption, LINE_PX } from '../ui/FieldList.tsx'
import { IconArrowsSort, IconFilter, IconFlag, IconHash, IconLetterCase, IconUser } from '../ui/icons.ts'
import { PopUp } from '../ui/PopUp.tsx'
import { FilterMenu } from '../ui/toolbar/FilterMenu.tsx'
import { type FilterField, toggleValue } from '../ui/toolbar/filter-field.ts'
import {
  FilterChip,
  Tool,
  Toolbar,
  ToolbarRule,
  ToolbarSpace,
  ToolbarTotal,
  ToolChoice,
} from '../ui/toolbar/Toolbar.tsx'
import { LONG, Part, State } from './Example.tsx'
import css from './Parts.module.css'

const SIZE = { size: 16, stroke: 1.75 }
const ORDERS = [
  { title: 'Round the total once', priority: 'high', assignee: 'ada' },
  { title: 'Refund a part of an order', priority: 'high', assignee: 'long' },
  { title: 'Print the receipt', priority: 'low', assignee: 'ada' },
] as const
type Name = 'priority' | 'assignee' | 'title'
const FIELDS: FilterField<Name>[] = [
  {
    field: 'priority',
    name: 'Priority',
    icon: <IconFlag {...SIZE} />,
    takes: 'many',
    options: [
      { value: 'high', label: 'High' },
      { value: 'low', label: 'Low' },
    ],
  },
  {
    field: 'assignee',
    name: 'Assignee',
    icon: <IconUser {...SIZE} />,
    takes: 'one',
    options: [
      { value: 'ada', label: 'Ada Lovelace' },
      { value: 'long', label: LONG },
    ],
  },
  { field: 'title', name: 'Title', icon: <IconLetterCase {...SIZE} />, takes: 'words', options: [] },
]
const SORTS = [
  { value: 'priority', label: 'Priority' },
  { value: 'updated', label: 'Updated' },
]
const SIGN = <IconHash size={14} />

const fieldOf = (name: Name) => FIELDS.find(({ field }) => field === name)!
const labelOf = (name: Name, value: string) =>
  fieldOf(name).options.find((option) => option.value === value)?.label ?? `“${value}”`
const describe = ({ field, negated, values }: Filter<Name>) =>
  `${fieldOf(field).name} is ${negated ? 'not ' : ''}${values.map((value) => labelOf(field, value)).join(', ')}`
const matches =
  ({ field, negated, values }: Filter<Name>) =>
  (order: (typeof ORDERS)[number]) =>
    values.length === 0 ||
    negated !== values.some((value) => (field === 'title' ? order.title.includes(value) : order[field] === value))
const matching = (filters: Filter<Name>[]) => ORDERS.filter((order) => filters.every((one) => matches(one)(order)))

/** The filters of one list, and what changes them. */
function useFilters(first: Filter<Name>[]) {
  const [filters, setFilters] = useState(first)
  const change = (changed: Filter<Name>) =>
    setFilters([...filters.filter(({ field }) => field !== changed.field), changed])
  return {
    filters: filters.filter(({ values }) => values.some((value) => value !== '')),
    change,
    clear: () => setFilters([]),
  }
}

interface MenuProps {
  of: ReturnType<typeof useFilters>
  onClose(): void
}

const Menu = ({ of: { filters, change, clear }, onClose }: MenuProps) => (
  <FilterMenu
    fields={FIELDS}
    filters={filters}
    countsOf={(field) => {
      const others = filters.filter((one) => one.field !== field)
      const count = (value: string) =>
        matching([...others, toggleValue({ field, negated: false, values: [] }, value, 'one')])
      return new Map(fieldOf(field).options.map(({ value }) => [value, count(value).length]))
    }}
    describe={describe}
    hint={
      <>
        Type the field and the value at once: <code>pri high</code>.
      </>
    }
    matching={matching(filters).length}
    total={ORDERS.length}
    onChange={change}
    onClear={clear}
    onClose={onClose}
  />
)

function Bar({ first }: { first: Filter<Name>[] }) {
  const all = useFilters(first)
  const [sort, setSort] = useState('priority')
  return (
    <Toolbar>
      <PopUp target={({ toggle }) => <Tool icon={<IconFilter {...SIZE} />} name="Filter" onClick={toggle} />}>
        {(close) => <Menu of={all} onClose={close} />}
      </PopUp>
      {all.filters.length > 0 && <ToolbarRule />}
      {all.filters.map((one) => (
        <FilterChip
          key={one.field}
          name={describe(one)}
          label={`Remove ${describe(one)}`}
          onRemove={() => all.change({ ...one, values: [] })}
        />
      ))}
      <ToolbarSpace />
      <ToolbarTotal>
        {matching(all.filters).length} of {ORDERS.length}
      </ToolbarTotal>
      <ToolChoice icon={<IconArrowsSort {...SIZE} />} name="Sort" options={SORTS} selected={[sort]} onPick={setSort} />
    </Toolbar>
  )
}

function OpenMenu({ first }: { first: Filter<Name>[] }) {
  const all = useFilters(first)
  const [isOpen, setOpen] = useState(true)
  if (!isOpen) return <Button onClick={() => setOpen(true)}>Filter</Button>
  return (
    <div className={css.filters}>
      <Menu of={all} onClose={() => setOpen(false)} />
    </div>
  )
}

export function Lists() {
  const [active, setActive] = useState(0)
  const [picked, setPicked] = useState('nothing yet')
  return (
    <>
      <Part name="Toolbar">
        <State is="nothing is set" wide>
          <Bar first={[]} />
        </State>
        <State is="with filters, long text" wide>
          <Bar
            first={[
              { field: 'priority', negated: true, values: ['low'] },
              { field: 'assignee', negated: false, values: ['long'] },
            ]}
          />
        </State>
      </Part>
      <Part name="BatchBar">
        <State is="two rows are selected" wide>
          <div className={css.bar}>
            <BatchBar label="Selected rows" count={2} onClear={() => setPicked('nothing yet')}>
              <BatchAction name="Assign" keys="a" icon={<IconUser {...SIZE} />} onClick={() => setPicked('Assign')} />
            </BatchBar>
          </div>
        </State>
      </Part>
      <Part name="FilterMenu">
        <State is="nothing is chosen">
          <OpenMenu first={[]} />
        </State>
        <State is="with a filter">
          <OpenMenu first={[{ field: 'priority', negated: false, values: ['high'] }]} />
        </State>
      </Part>
      <Part name="FieldList">
        <State is={`at a field: ${picked}`}>
          <div className={css.room}>
            <div className={css.field}>
              /
              <FieldList label="Insert" heightPx={3 * LINE_PX} foot="↑↓ choose, Enter inserts">
                {['Heading', 'Quote', LONG].map((name, index) => (
                  <FieldOption
                    key={name}
                    isActive={index === active}
                    sign={SIGN}
                    name={name}
                    hint={index === 1 ? 'Block' : undefined}
                    keys={index === 0 ? '##' : undefined}
                    onPick={() => setPicked(name)}
                    onHover={() => setActive(index)}
                  />
                ))}
              </FieldList>
            </div>
          </div>
        </State>
        <State is="busy">
          <div className={css.room}>
            <div className={css.field}>
              @ad
              <FieldList label="Link to" heightPx={LINE_PX} isBusy none="Searching…" />
            </div>
          </div>
        </State>
        <State is="empty">
          <div className={css.room}>
            <div className={css.field}>
              @zz
              <FieldList label="Mention" heightPx={LINE_PX} none="Nothing has this name." />
            </div>
          </div>
        </State>
      </Part>
    </>
  )
}
