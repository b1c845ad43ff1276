import { KindIcon } from '../../artifacts/KindIcon.tsx'
import { GridCell, GridRow } from '../../ui/list/grid.tsx'
import { useNaming } from '../../ui/use-naming.ts'
import type { Row } from '../artifact.ts'
import css from './Row.module.css'

interface Props {
  row: Row
  place: number
  /** Called with nothing if it is given up, and with the name that was there when the field opened. */
  onDone(name: string | undefined, before: string): void
}

/** A row while it is being renamed. The ending of a file stays unless it is typed over. */
export function NamingRow({ row, place, onDone }: Props) {
  return (
    <GridRow id={row.id} place={place} className={css.row}>
      <GridCell>
        <KindIcon kind={row.kind} name={row.name} size={17} />
        <NameInput row={row} onDone={onDone} />
      </GridCell>
    </GridRow>
  )
}

export function NameInput({ row, onDone }: Omit<Props, 'place'>) {
  const naming = useNaming(row.name, onDone)
  const dot = row.type === 'file' ? row.name.lastIndexOf('.') : -1
  return (
    <input
      className={css.naming}
      aria-label={`Name of ${row.name}`}
      onFocus={({ target }) => target.setSelectionRange(0, dot > 0 ? dot : target.value.length)}
      {...naming}
    />
  )
}
