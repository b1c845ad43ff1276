import { useTicking } from '../lib/ticks.ts'
import { isRecent } from '../lib/time.ts'
import { Time } from '../ui/Time.tsx'
import css from './Settings.module.css'

/** When something was used, with a dot while it is in use. */
export function LastUsed({ at }: { at: string }) {
  const isInUse = useTicking(() => isRecent(at))
  return (
    <span className={css.active}>
      {isInUse && <span className={css.dot} />}
      <Time at={at} as="ago" />
    </span>
  )
}
