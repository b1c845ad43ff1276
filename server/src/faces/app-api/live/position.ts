/**
 * Where a reader is. Ids are given out before transactions commit, so a lower id can appear after a higher one. The
 * reader has seen every event up to `seen`, unless its transaction is `horizon` or a later one. Up to `settled`, nothing
 * more can appear.
 */
export interface Position {
  seen: number
  settled: number
  horizon?: bigint
}

/** Where somebody is who has seen what transactions before `horizon` wrote, in any project. */
export interface Moment {
  horizon: bigint
}

export const formatPosition = (seen: number, settled: number, horizon: bigint) => `${seen}-${settled}-${horizon}`

export const formatMoment = (horizon: bigint) => `x${horizon}`

/** The id of an event alone is a position, too. Undefined if it is none. */
export function parsePosition(text: string): Position | Moment | undefined {
  const [, moment] = /^x(\d{1,18})$/.exec(text) ?? []
  if (moment !== undefined) return { horizon: BigInt(moment) }
  const [, seen, settled, horizon] = /^(\d{1,15})(?:-(\d{1,15})-(\d{1,18}))?$/.exec(text) ?? []
  if (seen === undefined) return undefined
  if (settled === undefined) return { seen: Number(seen), settled: Number(seen) }
  return { seen: Number(seen), settled: Number(settled), horizon: BigInt(horizon!) }
}
