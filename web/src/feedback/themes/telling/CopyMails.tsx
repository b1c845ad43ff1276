import { useQuery } from '@tanstack/react-query'
import { copyText } from '../../../lib/copy-text.ts'
import { countOf } from '../../../lib/numbers.ts'
import { Button } from '../../../ui/Button.tsx'
import dialog from '../../../ui/dialogs.module.css'
import { FormDialog } from '../../../ui/dialogs.tsx'
import { IconCopy, IconMail } from '../../../ui/icons.ts'
import { LoadFault } from '../../../ui/LoadFault.tsx'
import { feedbackKey } from '../../api.ts'
import { readWrittenMails } from './api.ts'
import css from './Telling.module.css'

const BETWEEN = '\n\n=====\n\n'

interface Props {
  projectId: string
  mailingId: string
  onClose(): void
}

/** The mails of a server that cannot send any, to be sent with another program. */
export function CopyMails({ projectId, mailingId, onClose }: Props) {
  const {
    data: mails,
    error,
    refetch,
  } = useQuery({
    queryKey: [...feedbackKey(projectId), 'written-mails', mailingId],
    queryFn: () => readWrittenMails(projectId, mailingId),
  })
  const addresses = mails?.map(({ to }) => to).join(', ') ?? ''
  const texts = mails?.map(({ to, subject, text }) => `To: ${to}\nSubject: ${subject}\n\n${text}`) ?? []
  return (
    <FormDialog
      title={mails ? `Copy ${countOf(mails.length, 'mail')}` : 'Copy the mails'}
      lead="Send them with your mail program. Each has a link of its own to unsubscribe, so write to each person alone."
      icon={<IconMail size={18} stroke={1.75} />}
      width={560}
      onClose={onClose}
      onSubmit={onClose}
      footer={
        <>
          <Button
            icon={<IconCopy size={15} stroke={1.75} />}
            disabled={!mails}
            onClick={() => void copyText(addresses, 'Addresses copied')}
          >
            Copy addresses
          </Button>
          <Button
            icon={<IconCopy size={15} stroke={1.75} />}
            disabled={!mails}
            onClick={() => void copyText(texts.join(BETWEEN), 'Texts copied')}
          >
            Copy texts
          </Button>
          <span className={dialog.grow} />
          <Button type="submit" look="primary">
            Done
          </Button>
        </>
      }
    >
      {error ? (
        <LoadFault what="The mails" error={error} onRetry={refetch} />
      ) : (
        <textarea
          className={css.mails}
          rows={14}
          readOnly
          aria-label="Mails"
          placeholder="Loading…"
          value={texts.join(BETWEEN)}
        />
      )}
    </FormDialog>
  )
}
