import type { Change } from '@slipway/sdk'
import { ActorMark } from './ActorMark.tsx'
import css from './Avatar.module.css'

const MAX_MARKS = 3

/** Several who did something together, the first ones as overlapping marks. */
export function ActorMarks({ actors, size }: { actors: Change['actor'][]; size: number }) {
  return (
    <span className={css.together}>
      {actors.slice(0, MAX_MARKS).map((actor, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list is never reordered
        <ActorMark key={at} actor={actor} size={size} />
      ))}
    </span>
  )
}
