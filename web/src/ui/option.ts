import type { ReactNode } from 'react'

/** A line of a list to choose from. */
export interface Option {
  value: string
  label: string
  icon?: ReactNode
  /** What typed words are found in, if not in the label. */
  words?: string
  /** Shown at the end of the line. */
  count?: number
  /** Starts a new part of the list. */
  divided?: boolean
  /** The shortcut that does the same without the menu. */
  keys?: string
  /** Takes something away for good. */
  danger?: boolean
  /** Opens beside the line, which then does nothing else. */
  sub?(): ReactNode
}
