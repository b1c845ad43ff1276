import { memo } from 'react'
import { KindIcon } from '../../artifacts/KindIcon.tsx'
import { cx } from '../../lib/cx.ts'
import { dayOf } from '../../lib/time.ts'
import { sizeOf } from '../../lib/uploads/files.ts'
import { Avatar } from '../../people/Avatar.tsx'
import { CheckMark } from '../../ui/Checkbox.tsx'
import { IconDots, IconLink } from '../../ui/icons.ts'
import { GridCell, GridRow } from '../../ui/list/grid.tsx'
import { type Row as ArtifactRow, ROOT_NAME } from '../artifact.ts'
import css from './Row.module.css'

interface Props {
  row: ArtifactRow
  href: string
  selected: boolean
  focused: boolean
  mayWrite: boolean
  /** When the day began. The row is drawn again when it ends. */
  today: number
  place: number
  /** A search shows where each lies. */
  withPath: boolean
}

export const amountOf = ({ item_count, size_bytes }: ArtifactRow) =>
  item_count === null ? sizeOf(size_bytes ?? 0) : `${item_count} ${item_count === 1 ? 'item' : 'items'}`

export const authorOf = ({ created_by_id, created_by }: ArtifactRow) => ({
  id: created_by_id ?? created_by,
  name: created_by,
  email: '',
})

/** A file or a folder in the list. The list listens for all rows and reads `data-cell`. */
export const Row = memo(function Row({ row, href, selected, focused, mayWrite, today, place, withPath }: Props) {
  return (
    <GridRow
      id={row.id}
      place={place}
      isFocused={focused}
      isSelected={selected}
      className={cx(css.row, selected && css.selected, focused && css.focused)}
    >
      <GridCell>
        <button
          type="button"
          className={css.box}
          aria-pressed={selected}
          aria-label={`Select ${row.name}`}
          data-cell="select"
        >
          <CheckMark checked={selected} outlined />
        </button>
      </GridCell>
      <GridCell>
        <KindIcon kind={row.kind} name={row.name} size={17} />
        <a href={href} className={css.name} data-cell="title" draggable={false}>
          <span className={css.title} dir="auto">
            {row.name}
          </span>
          {withPath && <Found row={row} />}
        </a>
      </GridCell>
      <GridCell className={css.used}>
        {row.used_count > 0 && (
          <>
            <IconLink size={14} stroke={1.75} aria-label="Used in" />
            {row.used_count}
          </>
        )}
      </GridCell>
      <GridCell className={css.size}>{amountOf(row)}</GridCell>
      <GridCell className={css.by}>
        <Avatar person={authorOf(row)} />
      </GridCell>
      <GridCell className={css.end}>
        <time className={css.time} dateTime={row.updated_at}>
          {dayOf(row.updated_at, new Date(today))}
        </time>
        {mayWrite && (
          <button type="button" className={css.menu} aria-label={`More about ${row.name}`} data-cell="menu">
            <IconDots size={16} stroke={1.75} />
          </button>
        )}
      </GridCell>
    </GridRow>
  )
})

/** Where a row lies, and the words in its text. */
export const Found = ({ row }: { row: ArtifactRow }) => (
  <span className={css.found}>{row.snippet ?? (row.folder_path || ROOT_NAME)}</span>
)

interface NarrowProps extends Pick<Props, 'row' | 'href' | 'selected' | 'today' | 'mayWrite' | 'withPath'> {
  /** Some are selected, so a tap selects this one too. */
  selecting: boolean
}

/** The same on a narrow screen: two lines. */
export const NarrowRow = memo(function NarrowRow(props: NarrowProps) {
  const { row, href, selected, selecting, today, mayWrite, withPath } = props
  return (
    <div className={cx(css.narrow, selected && css.selected)} data-row={row.id}>
      <a
        href={href}
        className={css.narrowLink}
        data-cell={selecting ? 'select' : 'title'}
        {...(selecting && { role: 'checkbox', 'aria-checked': selected })}
      >
        {selecting ? <CheckMark checked={selected} outlined /> : <KindIcon kind={row.kind} name={row.name} size={20} />}
        <span className={css.narrowText}>
          <span className={css.title} dir="auto">
            {row.name}
          </span>
          {withPath ? (
            <Found row={row} />
          ) : (
            <span className={css.found}>
              {amountOf(row)} · {dayOf(row.updated_at, new Date(today))}
              {row.used_count > 0 && ` · used in ${row.used_count}`}
            </span>
          )}
        </span>
      </a>
      {mayWrite && (
        <button type="button" className={css.narrowMenu} aria-label={`More about ${row.name}`} data-cell="menu">
          <IconDots size={18} stroke={1.75} />
        </button>
      )}
    </div>
  )
})
