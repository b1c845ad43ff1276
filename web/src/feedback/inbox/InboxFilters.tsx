import { useQuery } from '@tanstack/react-query'
import { useRouteContext } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/fields.tsx'
import { Select } from '../../ui/Select.tsx'
import type { InboxSearch } from '../search.ts'
import { type ThemeRow, useFoundThemes } from '../themes/api.ts'
import { numberOf } from '../themes/theme.ts'
import { sourcesQuery } from './api.ts'
import css from './InboxFilters.module.css'

interface Props {
  search: InboxSearch
  onChange(part: Partial<InboxSearch>): void
  onClose(): void
}

const ANY = ''
const STATUSES = [
  { value: ANY, label: 'To process' },
  { value: 'processed', label: 'Processed' },
  { value: 'all', label: 'Any' },
]

/** The filters of the inbox: what is chosen counts at once, what is typed with Enter. */
export function InboxFilters({ search, onChange, onClose }: Props) {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const sources = useQuery(sourcesQuery(project.id)).data ?? []
  const { rows: themes = [], setText } = useFoundThemes(project.id)
  const [words, setWords] = useState(search.words ?? '')
  const [person, setPerson] = useState(search.person ?? '')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onChange({ words: words.trim() || undefined, person: person.trim() || undefined })
    onClose()
  }
  const choice = (
    label: string,
    name: 'status' | 'source' | 'theme',
    options: { value: string; label: string }[],
    onText?: (text: string) => void,
  ) => (
    <div className={css.choice}>
      <span>{label}</span>
      <Select
        label={label}
        value={search[name] ?? ANY}
        options={options}
        {...(onText && { onText })}
        onPick={(value) => onChange(picked(name, value || undefined))}
      />
    </div>
  )
  const date = (label: string, name: 'from' | 'to') => (
    <label className={css.choice}>
      <span>{label}</span>
      <input
        type="date"
        className={css.date}
        value={search[name] ?? ''}
        onChange={(event) => onChange({ [name]: event.target.value || undefined })}
      />
    </label>
  )
  return (
    <form className={css.menu} data-own-keys onSubmit={submit}>
      <Field label="Words" data-autofocus value={words} placeholder="declined card" onChange={setWords} />
      <Field label="Person" value={person} placeholder="customer@example.org" onChange={setPerson} />
      {choice('Status', 'status', STATUSES)}
      {choice('Received through', 'source', [
        { value: ANY, label: 'Anything' },
        ...sources.map(({ name }) => ({ value: name, label: name })),
      ])}
      {choice('Theme', 'theme', themeOptions(themes, search.theme), setText)}
      {date('Since', 'from')}
      {date('Until', 'to')}
      <div className={css.foot}>
        <Button
          look="quiet"
          onClick={() => {
            onChange({
              words: undefined,
              person: undefined,
              source: undefined,
              theme: undefined,
              from: undefined,
              to: undefined,
            })
            onClose()
          }}
        >
          Clear
        </Button>
        <Button type="submit" look="primary">
          Done
        </Button>
      </div>
    </form>
  )
}

/** What is in a theme is processed: reports that are still to be processed would never match. */
const picked = (name: 'status' | 'source' | 'theme', value: string | undefined): Partial<InboxSearch> =>
  name === 'theme' && value !== undefined ? { theme: value, status: 'all' } : { [name]: value }

/** The chosen theme stays among them, whatever is searched. */
function themeOptions(rows: ThemeRow[], chosen: string | undefined) {
  const found = rows.map((row) => ({ value: numberOf(row), label: `${row.display_id} ${row.title}` }))
  const isMissing = chosen !== undefined && !found.some(({ value }) => value === chosen)
  return [
    { value: ANY, label: 'Any or none' },
    ...(isMissing ? [{ value: chosen, label: `TH-${chosen}` }] : []),
    ...found,
  ]
}
