import { Link } from '@tanstack/react-router'
import { memo } from 'react'
import { cx } from '../../../lib/cx.ts'
import { clockOf } from '../../../lib/time.ts'
import { CheckMark } from '../../../ui/Checkbox.tsx'
import { IconArrowRight, IconPaperclip } from '../../../ui/icons.ts'
import { GridCell, GridRow } from '../../../ui/list/grid.tsx'
import type { InboxItem } from '../api.ts'
import css from './ItemList.module.css'

interface Props {
  row: InboxItem
  projectId: string
  place: number
  isOpen: boolean
  isSelected: boolean
  isSelecting: boolean
  maySelect: boolean
}

export const ItemRow = memo(function ItemRow(props: Props) {
  const { row, projectId, place, isOpen, isSelected, isSelecting, maySelect } = props
  return (
    <GridRow
      id={row.id}
      place={place}
      isFocused={isOpen}
      isSelected={isOpen}
      className={cx(css.row, isOpen && css.open, isSelecting && css.selecting)}
    >
      <GridCell className={css.first}>
        {maySelect && (
          <button
            type="button"
            data-cell="select"
            className={css.select}
            aria-pressed={isSelected}
            aria-label={`Select ${row.display_id}`}
            tabIndex={-1}
          >
            <CheckMark checked={isSelected} />
          </button>
        )}
        <span>{row.display_id}</span>
        {row.attachment_count > 0 && (
          <span className={css.files} title={`${row.attachment_count} attached`}>
            <IconPaperclip size={13} stroke={1.75} />
            {row.attachment_count}
          </span>
        )}
        <time className={css.time} dateTime={row.created_at}>
          {clockOf(Date.parse(row.created_at))}
        </time>
      </GridCell>
      <GridCell className={css.titleCell}>
        <Link
          to="/p/$projectId/feedback/$number"
          params={{ projectId, number: String(row.number) }}
          search={true}
          className={css.title}
          tabIndex={-1}
          dir="auto"
        >
          {row.title}
        </Link>
      </GridCell>
      <GridCell className={css.last}>
        <span className={css.email}>{row.end_user_email}</span>
        <Theme row={row} />
      </GridCell>
    </GridRow>
  )
})

/** The theme it is in, or an arrow to the one that is suggested. */
function Theme({ row }: { row: InboxItem }) {
  const [theme, ...others] = row.themes
  if (theme)
    return (
      <span className={css.theme} title={row.themes.map((one) => `${one.display_id} ${one.title}`).join('\n')}>
        {theme.display_id}
        {others.length > 0 && ` +${others.length}`}
      </span>
    )
  if (!row.suggested_theme) return null
  const { display_id, title } = row.suggested_theme
  return (
    <span className={css.theme} title={`Suggested: ${display_id} ${title}`}>
      <IconArrowRight size={12} stroke={1.75} />
      {display_id}
    </span>
  )
}
