import type { ReactNode } from 'react'
import { useWidth, WITH_BESIDE } from '../../../lib/breakpoints.ts'
import { copyText } from '../../../lib/copy-text.ts'
import { countOf } from '../../../lib/numbers.ts'
import { fullTimeOf } from '../../../lib/time.ts'
import { Avatar } from '../../../people/Avatar.tsx'
import { IconButton } from '../../../ui/Button.tsx'
import { IconArrowLeft, IconLink } from '../../../ui/icons.ts'
import { MoreMenu } from '../../../ui/MoreMenu.tsx'
import { Time } from '../../../ui/Time.tsx'
import { SourceSign } from '../../SourceSign.tsx'
import type { InboxReport } from '../api.ts'
import type { Decisions } from '../use-decisions.ts'
import { Attachments } from './Attachments.tsx'
import { DecisionBar } from './DecisionBar.tsx'
import { Inspector } from './Inspector.tsx'
import css from './Report.module.css'
import { Swipe } from './Swipe.tsx'
import { Words } from './Words.tsx'

interface Props {
  projectId: string
  report: InboxReport
  decisions: Decisions
  mayWrite: boolean
  isPhone: boolean
  /** Where it is in the list, or -1. */
  place: number
  total: number
  onBack(): void
}

/** A report with what helps to decide about it. */
export function Report(props: Props) {
  const { projectId, report, decisions, mayWrite, isPhone, place, total, onBack } = props
  const isWide = useWidth(WITH_BESIDE)
  const where = place >= 0 ? `${place + 1} of ${total}` : ''
  const menu = <Menu projectId={projectId} report={report} decisions={decisions} mayWrite={mayWrite} />
  const inspector = <Inspector projectId={projectId} report={report} decisions={decisions} mayWrite={mayWrite} />
  const main = (
    <div className={css.scroller}>
      <div className={css.text}>
        {!isPhone && (
          <header className={css.head}>
            <span>{report.display_id}</span>
            <Status report={report} />
            <Source report={report} />
            <span className={css.grow} />
            <CopyLink projectId={projectId} report={report} />
            {menu}
          </header>
        )}
        {isPhone && (
          <p className={css.head}>
            <Status report={report} />
            <Source report={report} />
          </p>
        )}
        <Words report={report} mayQuote={mayWrite} onQuote={decisions.quote} beforeText={<Person report={report} />} />
        <Attachments projectId={projectId} report={report} />
      </div>
      {!isWide && <div className={css.below}>{inspector}</div>}
    </div>
  )
  return (
    <>
      <section className={css.report} aria-label={`Report ${report.display_id}`}>
        {isPhone && (
          <header className={css.phoneHead}>
            <IconButton label="Back to the inbox" onClick={onBack}>
              <IconArrowLeft size={20} stroke={1.75} />
            </IconButton>
            <span className={css.path}>
              Inbox / <strong>{report.display_id}</strong>
            </span>
            <span className={css.grow} />
            <span className={css.where}>{where}</span>
            {menu}
          </header>
        )}
        {isPhone && mayWrite && report.status === 'to_process' ? (
          <Swipe theme={decisions.suggested} onLink={decisions.link} onDismiss={() => decisions.set('dismiss')}>
            {main}
          </Swipe>
        ) : (
          main
        )}
        {mayWrite && <DecisionBar report={report} decisions={decisions} isPhone={isPhone} where={where} />}
      </section>
      {isWide && (
        <aside className={css.beside} aria-label="What helps to decide">
          {inspector}
        </aside>
      )}
    </>
  )
}

const Status = ({ report: { status, is_not_feedback } }: { report: InboxReport }) => (
  <span className={status === 'to_process' ? css.toProcess : css.processed}>
    {status === 'to_process' ? 'To process' : is_not_feedback ? 'Not feedback' : 'Processed'}
  </span>
)

function Source({ report: { source, is_by_hand, added_by } }: { report: InboxReport }) {
  if (!source) return null
  return (
    <span className={css.source} title={added_by ? `Added by ${added_by.name}` : 'The key that it came through'}>
      <SourceSign isByHand={is_by_hand} />
      {source}
      {added_by && `, by ${added_by.name}`}
    </span>
  )
}

const NUMBERS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth']

function Person({ report }: { report: InboxReport }) {
  const { end_user_email: email, reporter, created_at } = report
  const { place, report_count, is_first_of_month, member } = reporter
  const nth = NUMBERS[place - 1] ?? `${place}th`
  const month = new Date(created_at).toLocaleString('en', { month: 'long' })
  const said = [report_count === 1 ? 'only report' : `${nth} of ${countOf(report_count, 'report')}`]
  if (place > 1 && is_first_of_month) said.push(`the first in ${month}`)
  return (
    <div className={css.person}>
      <Avatar person={{ id: member?.id ?? email, name: member?.name ?? email.split('@')[0]!, email }} size={34} />
      <div className={css.who}>
        <strong>{member ? `${member.name} · ${email}` : email}</strong>
        <span>
          <Time at={created_at} title={fullTimeOf(created_at)} /> · {said.join(', ')}
        </span>
      </div>
    </div>
  )
}

const CopyLink = ({ projectId, report }: { projectId: string; report: InboxReport }) => (
  <IconButton
    label="Copy link"
    onClick={() => void copyText(`${location.origin}/p/${projectId}/feedback/${report.number}`, 'Link copied')}
  >
    <IconLink size={16} stroke={1.75} />
  </IconButton>
)

type MenuProps = Pick<Props, 'projectId' | 'report' | 'decisions' | 'mayWrite'>

function Menu({ projectId, report, decisions, mayWrite }: MenuProps): ReactNode {
  const isOpen = report.status === 'to_process'
  const lines = [
    { value: 'copy', label: 'Copy text' },
    { value: 'link', label: 'Copy link' },
    ...(mayWrite && isOpen ? [{ value: 'not_feedback', label: 'Not feedback', divided: true }] : []),
    ...(mayWrite && !isOpen && report.themes.length === 0
      ? [{ value: 'reopen', label: 'Process again', divided: true }]
      : []),
  ]
  const pick = (value: string) => {
    if (value === 'copy') void copyText(report.markdown_content, 'Text copied')
    else if (value === 'link')
      void copyText(`${location.origin}/p/${projectId}/feedback/${report.number}`, 'Link copied')
    else decisions.set(value as 'not_feedback' | 'reopen')
  }
  return <MoreMenu label={`More for ${report.display_id}`} options={lines} onPick={pick} />
}
