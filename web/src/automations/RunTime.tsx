import { useTicking } from '../lib/ticks.ts'
import { clockOf, dayOf, fullTimeOf, momentOf, whenOf } from '../lib/time.ts'

/** The moment of a run: 9 min ago, Today 16:02, Nov 12 08:00. */
export const runTimeOf = (at: string) =>
  /min$|now/.test(momentOf(at)) ? whenOf(at) : `${dayOf(at)} ${clockOf(Date.parse(at))}`

/** When a run was, in words that change as time goes by. */
export function RunTime({ at }: { at: string }) {
  const text = useTicking(() => runTimeOf(at))
  return (
    <time dateTime={at} title={fullTimeOf(at)}>
      {text}
    </time>
  )
}
