import { useQuery } from '@tanstack/react-query'
import { useNavigate, useRouteContext, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { inWords } from '../../lib/kinds.ts'
import { useSettled } from '../../lib/use-settled.ts'
import { membersQuery } from '../../people/members.ts'
import { IconArrowsSort, IconFilter } from '../../ui/icons.ts'
import { MenuButton } from '../../ui/Menu.tsx'
import { FilterChip, Tool, ToolbarRule, ToolbarSpace, ToolChoice } from '../../ui/toolbar/Toolbar.tsx'
import { themeCountsQuery } from './api.ts'
import type { ThemeFilters } from './search.ts'
import css from './ThemeTools.module.css'
import { OPEN, PRIORITIES, SORT_NAMES, SORTS, type Sort, STATUSES, TYPES } from './theme.ts'

type Field = 'status' | 'type' | 'priority' | 'assignee' | 'feature'

const NAMES: Record<Field, string> = {
  status: 'Status',
  type: 'Type',
  priority: 'Priority',
  assignee: 'Owner',
  feature: 'Feature',
}
const NONE = 'none'

/** Filters and order, all of them in the address. */
export function ThemeTools() {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const search = useSearch({ from: '/signed-in/p/$projectId/feedback/themes' })
  const navigate = useNavigate()
  const values = useValues(project.id)
  const set = (change: ThemeFilters) =>
    void navigate({ to: '.', search: (old) => ({ ...old, ...change, beside: undefined }), replace: true })
  const chosen = (field: Field) => (field === 'status' ? shownStatuses(search) : (search[field]?.split(',') ?? []))
  const toggle = (field: Field, value: string) => {
    const now = chosen(field)
    const next = now.includes(value) ? now.filter((one) => one !== value) : [...now, value]
    const text = field === 'status' && isDefault(next) ? undefined : next.join(',')
    set({ [field]: text || (field === 'status' && next.length === 0 ? 'all' : undefined) })
  }
  const named = (field: Field) => {
    const labels = chosen(field).map((value) => values[field].find((one) => one.value === value)?.label ?? '…')
    return `${NAMES[field]} is ${labels.join(' or ')}`
  }
  const shown = (Object.keys(NAMES) as Field[]).filter((field) =>
    field === 'status' ? search.status !== 'all' : search[field] !== undefined,
  )
  return (
    <>
      <ToolbarRule />
      {shown.map((field) => (
        <FilterChip
          key={field}
          name={named(field)}
          label={`Remove the filter ${NAMES[field]}`}
          onRemove={() => set({ [field]: field === 'status' ? 'all' : undefined })}
        />
      ))}
      <MenuButton
        label="Filter"
        target={({ toggle: show }) => (
          <Tool icon={<IconFilter size={16} stroke={1.75} />} name="Filter" onClick={show} />
        )}
        options={(Object.keys(NAMES) as Field[]).map((field) => ({
          value: field,
          label: NAMES[field],
          more: values[field].map(({ value, label }) => ({
            value: `${field}:${value}`,
            label,
            check: 'checkbox' as const,
            checked: chosen(field).includes(value),
          })),
        }))}
        onPick={(picked) => {
          const [field, value] = picked.split(':') as [Field, string]
          toggle(field, value)
        }}
      />
      <ToolbarSpace />
      <Words value={search.words ?? ''} onChange={(words) => set({ words: words || undefined })} />
      <ToolChoice
        icon={<IconArrowsSort size={16} stroke={1.75} />}
        name={`Rank: ${SORT_NAMES[search.rank ?? 'people'].toLowerCase()}`}
        options={SORTS.map((value) => ({ value, label: SORT_NAMES[value] }))}
        selected={[search.rank ?? 'people']}
        onPick={(rank) => set({ rank: rank === 'people' ? undefined : (rank as Sort) })}
      />
    </>
  )
}

const shownStatuses = ({ status }: ThemeFilters): string[] =>
  status === 'all' ? [] : (status?.split(',') ?? [...OPEN])

const isDefault = (statuses: string[]) => statuses.length === OPEN.length && OPEN.every((one) => statuses.includes(one))

function useValues(projectId: string): Record<Field, { value: string; label: string }[]> {
  const members = useQuery(membersQuery(projectId)).data ?? []
  const features = useQuery(themeCountsQuery(projectId)).data?.features ?? []
  const inList = (values: readonly string[]) => values.map((value) => ({ value, label: inWords(value) }))
  return {
    status: inList(STATUSES),
    type: inList(TYPES),
    priority: inList(PRIORITIES),
    assignee: [...members.map(({ id, name }) => ({ value: id, label: name })), { value: NONE, label: 'Nobody' }],
    feature: features.map(({ id, title }) => ({ value: id ?? NONE, label: title ?? 'No feature yet' })),
  }
}

function Words({ value, onChange }: { value: string; onChange(words: string): void }) {
  const [text, setText] = useState(value)
  const settled = useSettled(text.trim())
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what was typed changes the address.
  useEffect(() => {
    if (settled !== value) onChange(settled)
  }, [settled])
  return (
    <input
      type="search"
      className={css.words}
      aria-label="Search themes"
      placeholder="Search themes"
      maxLength={200}
      value={text}
      onChange={(event) => setText(event.target.value)}
    />
  )
}
