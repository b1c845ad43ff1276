import type { Change } from '@slipway/sdk'
import type { ReactNode } from 'react'
import { useActorName } from '../people/actor-name.ts'
import { Time } from '../ui/Time.tsx'

/** Who did what, and when. */
export function Happening({ actor, at, words }: { actor: Change['actor']; at: string; words: ReactNode }) {
  const { name, behalf } = useActorName(actor)
  return (
    <>
      <strong title={behalf && `for ${behalf}`}>{name}</strong> {words} <Time at={at} />
    </>
  )
}
