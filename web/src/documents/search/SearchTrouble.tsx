import { SlipwayError } from '../../lib/client.ts'
import { Button } from '../../ui/Button.tsx'
import { IconAlertTriangle, IconClock } from '../../ui/icons.ts'
import { isBusy } from './results.ts'
import css from './SearchPage.module.css'

interface Props {
  /** Set while the search waits for its next attempt. */
  busySeconds?: number
  failure?: Error
  onRetry?(): void
}

/** Says that the server is busy, or why the search failed. A wrong expression is explained at the field instead. */
export function SearchTrouble({ busySeconds, failure, onRetry }: Props) {
  if (busySeconds !== undefined)
    return (
      <p className={css.trouble}>
        <IconClock size={16} stroke={1.75} />
        The server is busy with other searches. Yours is tried again in{' '}
        {busySeconds === 1 ? 'a second' : `${busySeconds} seconds`}.
      </p>
    )
  if (!failure || (failure instanceof SlipwayError && failure.code === 'invalid_regex')) return null
  return (
    <div className={css.trouble} role="alert" data-fault>
      <IconAlertTriangle size={16} stroke={1.75} />
      <span className={css.grow}>
        {isBusy(failure) ? 'The server is still busy with other searches. ' : 'The search failed. '}
        {failure.message}
      </span>
      <Button onClick={onRetry}>Try again</Button>
    </div>
  )
}
