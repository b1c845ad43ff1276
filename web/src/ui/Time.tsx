import { useTicking } from '../lib/ticks.ts'
import { agoOf, dayOf, fullTimeOf, momentOf, whenOf } from '../lib/time.ts'

/** How a moment is written: Nov 13; 9 min; 9 min ago or on Nov 13 in a sentence; 9 minutes ago. */
const FORMS = { day: dayOf, moment: momentOf, when: whenOf, ago: agoOf }

interface Props {
  at: string
  as?: keyof typeof FORMS
  /** Shown on hover, instead of the exact time. */
  title?: string | undefined
  className?: string | undefined
}

/** A moment, whose words change as time goes by. */
export function Time({ at, as = 'moment', title, className }: Props) {
  const text = useTicking(() => FORMS[as](at))
  return (
    <time className={className} dateTime={at} title={title ?? fullTimeOf(at)}>
      {text}
    </time>
  )
}
