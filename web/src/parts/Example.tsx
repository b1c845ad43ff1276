import type { ReactNode } from 'react'
import { cx } from '../lib/cx.ts'
import type { Write } from '../lib/outbox/index.ts'
import css from './Parts.module.css'

/** One part, under its name. */
export const Part = ({ name, children }: { name: string; children: ReactNode }) => (
  <section className={css.part} aria-label={name}>
    <h2 className={css.name}>{name}</h2>
    <div className={css.states}>{children}</div>
  </section>
)

interface StateProps {
  /** Which of its states is shown. */
  is: string
  /** For a part that fills its line. */
  wide?: boolean
  children: ReactNode
}

/** The part in one of its states. */
export const State = ({ is, wide, children }: StateProps) => (
  <div className={cx(css.state, wide && css.wide)} data-state={is}>
    <span className={css.caption}>{is}</span>
    {children}
  </div>
)

export const LONG =
  'A name that somebody pasted in and that is far longer than there is room for, with Donaudampfschifffahrtsgesellschaft in it'

/** A change that was not saved. */
export const FAILED: Write = {
  id: 'write',
  key: 'write',
  kind: 'parts',
  waits: true,
  projectId: 'harbor',
  input: {},
  text: 'WO-41 to In review',
  subjects: ['WO-41'],
  part: 'status',
  at: 0,
  state: 'failed',
  attempts: 3,
  fault: { message: 'The database did not answer within 5 seconds.', status: 503, requestId: '5d20b7', at: 0 },
}
