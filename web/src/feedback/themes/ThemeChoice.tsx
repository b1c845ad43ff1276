import { countOf } from '../../lib/numbers.ts'
import { Field } from '../../ui/fields.tsx'
import { type ThemeRow, useFoundThemes } from './api.ts'
import { StatusSign } from './signs.tsx'
import css from './ThemeChoice.module.css'
import detail from './ThemeDetail.module.css'

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
  const { rows: found = [], text, setText } = useFoundThemes(projectId)
  const rows = found.filter(({ id }) => id !== without)
  return (
    <>
      <Field
        label="Theme"
        placeholder="Search themes"
        autoComplete="off"
        data-autofocus
        value={text}
        fault={fault}
        onChange={setText}
      />
      <fieldset className={css.choices} aria-label="Themes">
        {rows.map((row) => (
          <label key={row.id} className={css.choice}>
            <input type="radio" name="theme" checked={chosen?.id === row.id} onChange={() => onChoose(row)} />
            <StatusSign status={row.status} size={15} />
            <span className={detail.code}>{row.display_id}</span>
            <span className={detail.linkedTitle}>{row.title}</span>
            <span className={detail.code}>{countOf(row.people_count, 'person', 'people')}</span>
          </label>
        ))}
        {rows.length === 0 && <p className={detail.none}>No other theme has these words.</p>}
      </fieldset>
    </>
  )
}
