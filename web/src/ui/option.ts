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
}

/** A line of a menu. */
export interface MenuLine {
  value: string
  label: string
  icon?: ReactNode
  divided?: boolean
  /** The shortcut that does the same without the menu. */
  keys?: string
  /** Takes something away for good. */
  danger?: boolean
  /** The line shows a state: one of several, or on and off. */
  check?: 'radio' | 'checkbox'
  checked?: boolean
  /** More lines, which open beside this one. */
  more?: MenuLine[]
  /** A list of values that opens beside the line. */
  values?(): ReactNode
}
