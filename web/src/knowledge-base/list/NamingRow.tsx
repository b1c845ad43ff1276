import { useRef, useState } from 'react'
import { GridCell, GridRow } from '../../ui/list/grid.tsx'
import type { Row } from '../artifact.ts'
import { KindIcon } from '../KindIcon.tsx'
import css from './Row.module.css'

interface Props {
  row: Row
  place: number
  /** Called with nothing if it is given up. */
  onDone(name: string | undefined): void
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
  const [name, setName] = useState(row.name)
  // Removing the field takes the focus from it, before the next drawing.
  const isOver = useRef(false)
  const finish = (next: string | undefined) => {
    if (isOver.current) return
    isOver.current = true
    onDone(next?.trim() || undefined)
  }
  const dot = row.type === 'file' ? row.name.lastIndexOf('.') : -1
  return (
    <input
      // biome-ignore lint/a11y/noAutofocus: the field opens on request
      autoFocus
      className={css.naming}
      aria-label={`Name of ${row.name}`}
      maxLength={500}
      value={name}
      onFocus={({ target }) => target.setSelectionRange(0, dot > 0 ? dot : target.value.length)}
      onChange={({ target }) => setName(target.value)}
      onBlur={() => finish(name)}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && !event.nativeEvent.isComposing) finish(name)
        else if (event.key === 'Escape') finish(undefined)
        event.stopPropagation()
      }}
    />
  )
}
