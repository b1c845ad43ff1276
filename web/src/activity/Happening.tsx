import type { Change } from '@slipway/sdk'
import type { ReactNode } from 'react'
import { fullTimeOf, momentOf } from '../lib/time.ts'
import { useActorName } from '../people/actor-name.ts'

/** Who did what, and when. */
export function Happening({ actor, at, words }: { actor: Change['actor']; at: string; words: ReactNode }) {
  const { name, behalf } = useActorName(actor)
  return (
    <>
      <strong title={behalf && `for ${behalf}`}>{name}</strong> {words}{' '}
      <time dateTime={at} title={fullTimeOf(at)}>
        {momentOf(at)}
      </time>
    </>
  )
}
