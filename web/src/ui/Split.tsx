import { type ReactNode, Suspense } from 'react'
import { Boundary } from './Boundary.tsx'
import css from './Split.module.css'

interface Props {
  children: ReactNode
  /** What was opened from the list, with its name. */
  beside: { of: string; panel: ReactNode } | undefined
}

/** A list, and what was opened from it beside it. */
export function Split({ children, beside }: Props) {
  return (
    <div className={css.split}>
      <div className={css.list}>{children}</div>
      {beside && (
        <Boundary of={beside.of}>
          <Suspense fallback={null}>{beside.panel}</Suspense>
        </Boundary>
      )}
    </div>
  )
}
