import type { ReactNode } from 'react'
import css from './GroupedList.module.css'

/*
 * The rows and cells of a list that somebody goes through by keys. Elements of a table could not be drawn a few at a time.
 */

interface RowProps {
  /** Undefined for the head of a group, which the cursor leaves out. */
  id?: string
  /** Counted from 1. */
  place: number
  isFocused?: boolean
  isSelected?: boolean
  className?: string | undefined
  children: ReactNode
}

export const GridRow = ({ id, place, isFocused = false, isSelected, className, children }: RowProps) => (
  // biome-ignore lint/a11y/useSemanticElements: see above.
  <div
    className={className}
    role="row"
    data-row={id}
    tabIndex={isFocused ? 0 : -1}
    aria-rowindex={place}
    aria-selected={isSelected}
  >
    {children}
  </div>
)

/** Without a class it has no box: what is in it stands in the row. */
export const GridCell = ({
  className = css.cell,
  children,
}: {
  className?: string | undefined
  children: ReactNode
}) => (
  // biome-ignore lint/a11y/useSemanticElements: see above.
  // biome-ignore lint/a11y/useFocusableInteractive: the row has the focus, or what is in the cell.
  <span role="gridcell" className={className}>
    {children}
  </span>
)
