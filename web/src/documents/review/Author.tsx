import type { ReactNode } from 'react'
import { fullTimeOf, momentOf } from '../../lib/time.ts'
import { ActorMark } from '../../people/ActorMark.tsx'
import { type Authored, useAuthor } from '../author.ts'
import css from './Author.module.css'

interface Props {
  by: Authored
  at: string
  isMine?: boolean
  /** Said after the time. */
  note?: string | undefined
  /** What stands at the end of the line. */
  children?: ReactNode
}

/** Who suggested or said something, and when. */
export function AuthorLine({ by, at, isMine, note, children }: Props) {
  const { actor, name, aside } = useAuthor(by)
  return (
    <header className={css.author}>
      <ActorMark actor={actor} />
      <strong>{isMine ? 'You' : name}</strong>
      <time dateTime={at} title={fullTimeOf(at)}>
        {momentOf(at)}
        {note && ` · ${note}`}
      </time>
      <span className={css.end}>{children}</span>
      {aside && !isMine && <small className={css.aside}>{aside}</small>}
    </header>
  )
}
