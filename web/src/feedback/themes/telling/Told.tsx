import { ask } from '../../../lib/asking.ts'
import { useMayWrite } from '../../../lib/may-write.ts'
import { countOf } from '../../../lib/numbers.ts'
import { Button } from '../../../ui/Button.tsx'
import { IconAlertTriangle, IconCircleCheck, IconMail } from '../../../ui/icons.ts'
import { Time } from '../../../ui/Time.tsx'
import type { Mailing } from './api.ts'
import { retryMails } from './edits.ts'
import css from './Telling.module.css'

interface Props {
  mailing: Mailing
  projectId: string
  onCopy(): void
}

/** Who was told when and by whom, what still waits, and what failed. */
export function Told({ mailing, projectId, onCopy }: Props) {
  const mayWrite = useMayWrite()
  const { counts, created_by, created_at, is_by_hand, failures } = mailing
  const waiting = counts.waiting + counts.sending
  const told = counts.sent + counts.copied
  const Sign = counts.failed > 0 ? IconAlertTriangle : waiting > 0 ? IconMail : IconCircleCheck
  const uncertain = failures.filter(({ is_uncertain }) => is_uncertain).length
  const retry = async () => {
    const isAsked = uncertain > 0 && uncertain === counts.failed
    const text = `${countOf(uncertain, 'mail')} may have arrived. Those people may get it twice.`
    if (isAsked && !(await ask({ title: 'Send them again?', text, verb: 'Send again' }))) return
    await retryMails(projectId, { mailing, includesUncertain: isAsked })
  }
  return (
    <div className={css.told}>
      <Sign size={18} stroke={1.75} className={counts.failed > 0 ? css.failed : css.done} />
      <div>
        <p role="status">
          <strong>
            {waiting > 0
              ? `${told} of ${countOf(told + waiting + counts.failed, 'mail')} sent`
              : `${countOf(told, 'person', 'people')} told`}
          </strong>
        </p>
        <p className={css.note}>
          {is_by_hand ? 'Copied' : 'Sent'} by {created_by?.name ?? 'somebody who has left'},{' '}
          <Time at={created_at} as="when" />
          {counts.unsubscribed > 0 && `; ${countOf(counts.unsubscribed, 'person', 'people')} unsubscribed before`}
        </p>
        {counts.failed > 0 && (
          <details className={css.failures}>
            <summary>{countOf(counts.failed, 'mail')} failed</summary>
            <ul>
              {failures.map(({ end_user_email, reason }) => (
                <li key={end_user_email}>
                  <strong>{end_user_email}</strong> {reason}
                </li>
              ))}
            </ul>
          </details>
        )}
      </div>
      {mayWrite && counts.failed > 0 && <Button onClick={() => void retry()}>Retry</Button>}
      {mayWrite && is_by_hand && counts.copied > 0 && <Button onClick={onCopy}>Copy again</Button>}
    </div>
  )
}
