import type { Change } from '@slipway/sdk'
import type { ReactNode } from 'react'
import { cx } from '../lib/cx.ts'
import { ActorMark } from '../people/ActorMark.tsx'
import { useActorName } from '../people/actor-name.ts'
import { Time } from '../ui/Time.tsx'
import css from './Byline.module.css'

interface Props {
  actor: Change['actor']
  at: string
  isMine?: boolean
  /** Through which door it came, where nobody stands behind the actor. */
  door?: string | undefined
  /** Said after the time. */
  note?: string | undefined
  /** In a card of its own: in one line, and the mark stands beside the card. */
  isWide?: boolean | undefined
  /** What has not reached the server yet. */
  state?: ReactNode
  /** What stands at the end of the line. */
  children?: ReactNode
}

/** Who suggested or said something, and when. */
export function Byline({ actor, at, isMine, door, note, isWide, state, children }: Props) {
  const { name, behalf } = useActorName(actor)
  const aside = behalf ? `for ${behalf}` : door
  return (
    <header className={cx(css.line, isWide && css.wide)}>
      {!isWide && <ActorMark actor={actor} />}
      <strong>{isMine ? 'You' : name}</strong>
      {aside && isWide && <span className={css.behalf}>{aside}</span>}
      <span className={css.when}>
        <Time at={at} />
        {note && ` · ${note}`}
      </span>
      {state}
      <span className={css.end}>{children}</span>
      {aside && !isWide && !isMine && <small className={css.aside}>{aside}</small>}
    </header>
  )
}
