import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ask } from '../../../lib/asking.ts'
import { useMayWrite } from '../../../lib/may-write.ts'
import { countOf, formatCount } from '../../../lib/numbers.ts'
import { Button } from '../../../ui/Button.tsx'
import { IconCopy, IconMail, IconPencil, IconSend } from '../../../ui/icons.ts'
import { LoadFault } from '../../../ui/LoadFault.tsx'
import { Segments } from '../../../ui/Segments.tsx'
import { Switch } from '../../../ui/Switch.tsx'
import { Time } from '../../../ui/Time.tsx'
import type { ThemeRow } from '../api.ts'
import { OPEN } from '../theme.ts'
import { draftQuery, type MailingDraft, mailingsQuery } from './api.ts'
import { CopyMails } from './CopyMails.tsx'
import { tellPeople } from './edits.ts'
import { MailFields, MailPreview } from './MailText.tsx'
import css from './Telling.module.css'
import { Told } from './Told.tsx'
import { languageName, useTexts } from './texts.ts'

interface Props {
  row: ThemeRow
  projectId: string
}

/** Offers to tell those who reported a theme that its work is done, and says who was told. */
export function TellPeople({ row, projectId }: Props) {
  const isDone = row.work_orders.some(({ status }) => status === 'completed')
  const [again, setAgain] = useState(false)
  const [copying, setCopying] = useState<string>()
  const mailings = useQuery(mailingsQuery(projectId, row.id)).data ?? []
  const draft = useQuery({ ...draftQuery(projectId, row.id, again), enabled: isDone })
  const mayWrite = useMayWrite()
  if (!isDone && mailings.length === 0) return null
  const isLeft = isDone && draft.data !== undefined && draft.data.drafts.length > 0
  return (
    <section aria-label="Tell the people" className={css.telling}>
      {isLeft && (
        <DraftCard
          key={`${row.id} ${again}`}
          row={row}
          projectId={projectId}
          draft={draft.data}
          again={again}
          onCopy={setCopying}
          onTold={() => setAgain(false)}
        />
      )}
      {isDone && draft.error && <LoadFault what="The draft" error={draft.error} onRetry={draft.refetch} />}
      {mailings.map((one) => (
        <Told key={one.id} mailing={one} projectId={projectId} onCopy={() => setCopying(one.id)} />
      ))}
      {!isLeft && draft.data && mayWrite && draft.data.told_count > 0 && (
        <Button look="quiet" className={css.again} onClick={() => setAgain(true)}>
          Tell them again…
        </Button>
      )}
      {copying && <CopyMails projectId={projectId} mailingId={copying} onClose={() => setCopying(undefined)} />}
    </section>
  )
}

interface CardProps extends Props {
  draft: MailingDraft
  again: boolean
  onCopy(mailingId: string): void
  onTold(): void
}

function DraftCard({ row, projectId, draft, again, onCopy, onTold }: CardProps) {
  const mayWrite = useMayWrite()
  const { drafts, from } = draft
  const { texts, textOf, change, forget } = useTexts(row.id, drafts)
  const [language, setLanguage] = useState<string>(drafts[0]!.language)
  const [isEditing, setEditing] = useState(false)
  const [resolves, setResolves] = useState(true)
  const [busy, setBusy] = useState(false)
  const shown = drafts.find((one) => one.language === language) ?? drafts[0]!
  const people = drafts.reduce((sum, one) => sum + one.people_count, 0)
  const isOpen = OPEN.includes(row.status)
  const work = draft.completed_work_orders[0]
  const isWritten = texts().every(({ subject, text }) => subject.trim() && text.trim())
  const send = async () => {
    const question = { title: `Send to ${countOf(people, 'person', 'people')}?`, verb: 'Send' }
    if (from !== null && !(await ask({ ...question, text: 'A mail cannot be taken back.' }))) return
    setBusy(true)
    const input = { row, texts: texts(), byHand: from === null, again, resolves: resolves && isOpen }
    const outcome = await tellPeople(projectId, input)
    setBusy(false)
    if (outcome.state !== 'saved') return
    forget()
    if (from === null) onCopy(outcome.answer.id)
    onTold()
  }
  return (
    <>
      <div className={css.card}>
        <header className={css.head}>
          <IconMail size={20} stroke={1.75} />
          <div>
            <h2>{again ? `Tell ${formatCount(people)} people again` : titleOf(people, draft.told_count)}</h2>
            {work && (
              <p>
                {work.display_id} was completed {work.completed_at && <Time at={work.completed_at} as="when" />}
              </p>
            )}
          </div>
        </header>
        {drafts.length > 1 && (
          <Segments
            label="Language"
            className={css.languages}
            options={drafts.map(({ language, people_count }) => ({
              value: language,
              label: `${languageName(language)} ${formatCount(people_count)}`,
            }))}
            value={shown.language}
            onChange={setLanguage}
          />
        )}
        {isEditing ? (
          <MailFields value={textOf(shown)} onChange={(one) => change(shown, one)} />
        ) : (
          <MailPreview value={textOf(shown)} draft={shown} from={from} />
        )}
        {mayWrite && (
          <footer className={css.foot}>
            <span className={css.state}>{from === null ? 'No mail server' : 'Draft, not sent'}</span>
            <Button
              icon={isEditing ? undefined : <IconPencil size={15} stroke={1.75} />}
              onClick={() => setEditing(!isEditing)}
            >
              {isEditing ? 'Done' : 'Edit'}
            </Button>
            <Button
              look="primary"
              busy={busy}
              disabled={!isWritten}
              icon={from === null ? <IconCopy size={15} stroke={1.75} /> : <IconSend size={15} stroke={1.75} />}
              onClick={() => void send()}
            >
              {from === null ? 'Copy for' : 'Send to'} {formatCount(people)}
            </Button>
          </footer>
        )}
      </div>
      {mayWrite && isOpen && (
        <Switch checked={resolves} onChange={setResolves} className={css.resolves}>
          <span>
            Also <strong>resolve the theme</strong> when it is {from === null ? 'copied' : 'sent'}
          </span>
        </Switch>
      )}
      {draft.unsubscribed_count > 0 && (
        <p className={css.note}>{countOf(draft.unsubscribed_count, 'person does', 'people do')} not want mail.</p>
      )}
    </>
  )
}

const titleOf = (people: number, told: number) => {
  if (people === 1) return told > 0 ? 'Tell one more person' : 'Tell the person'
  return told > 0 ? `Tell ${formatCount(people)} more people` : `Tell the ${formatCount(people)} people`
}
