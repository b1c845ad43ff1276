import type { ReactNode } from 'react'
import css from './PropertyList.module.css'
import { Time } from './Time.tsx'

/** The head of an inspector, with what stands at its end. */
export const PropertyHead = ({ children }: { children: ReactNode }) => (
  <header className={css.head}>
    Properties
    {children}
  </header>
)

/** The lines of an inspector. In a row, only the values are seen. */
export const PropertyLines = ({ inRow, children }: { inRow?: boolean; children: ReactNode }) => (
  <div className={inRow ? css.row : css.lines}>{children}</div>
)

interface LineProps {
  name: string
  /** Where a shortcut finds the line (`data-property`). */
  property: string
  /** Opens the list of values. Undefined for whom may not change it. */
  onOpen: ((beside: Element) => void) | undefined
  /** Stands before the value and says the same, so it is not read out. */
  sign?: ReactNode
  children: ReactNode
}

/** One value. It opens its list. */
export const PropertyLine = ({ name, property, onOpen, sign, children }: LineProps) => (
  <div className={css.line}>
    <span className={css.name}>{name}</span>
    <button
      type="button"
      className={css.value}
      data-property={property}
      disabled={!onOpen}
      onClick={({ currentTarget }) => onOpen?.(currentTarget)}
    >
      {onOpen && <span className="sr-only">Change {name.toLowerCase()}: </span>}
      {sign && (
        <span className={css.sign} aria-hidden>
          {sign}
        </span>
      )}
      {children}
    </button>
  </div>
)

/** When it was made and changed last, at the foot of an inspector. */
export const PropertyTimes = ({ of }: { of: { created_at: string; updated_at: string } }) => (
  <dl className={css.times}>
    <dt>Created</dt>
    <dd>
      <Time at={of.created_at} />
    </dd>
    <dt>Updated</dt>
    <dd>
      <Time at={of.updated_at} />
    </dd>
  </dl>
)
