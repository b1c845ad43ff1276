import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { countOf } from '../../lib/numbers.ts'
import { useSettled } from '../../lib/use-settled.ts'
import { Field } from '../../ui/fields.tsx'
import { findThemes, type ThemeRow } from './api.ts'
import { StatusSign } from './signs.tsx'
import css from './ThemeDetail.module.css'

interface Props {
  projectId: string
  /** The theme that cannot be chosen. */
  without: string
  chosen: ThemeRow | undefined
  fault: string | undefined
  onChoose(row: ThemeRow): void
}

/** Finds a theme by its words, those of the most people first. */
export function ThemeChoice({ projectId, without, chosen, fault, onChoose }: Props) {
  const [words, setWords] = useState('')
  const found = useQuery(findThemes(projectId, useSettled(words.trim()))).data ?? []
  const rows = found.filter(({ id }) => id !== without)
  return (
    <>
      <Field
        label="Theme"
        placeholder="Search themes"
        autoComplete="off"
        data-autofocus
        value={words}
        fault={fault}
        onChange={setWords}
      />
      <fieldset className={css.choices} aria-label="Themes">
        {rows.map((row) => (
          <label key={row.id} className={css.choice}>
            <input type="radio" name="theme" checked={chosen?.id === row.id} onChange={() => onChoose(row)} />
            <StatusSign status={row.status} size={15} />
            <span className={css.code}>{row.display_id}</span>
            <span className={css.linkedTitle}>{row.title}</span>
            <span className={css.code}>{countOf(row.people_count, 'person', 'people')}</span>
          </label>
        ))}
        {rows.length === 0 && <p className={css.none}>No other theme has these words.</p>}
      </fieldset>
    </>
  )
}
