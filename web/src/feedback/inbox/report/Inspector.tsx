import { Link } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import { Timeline } from '../../../activity/Timeline.tsx'
import { countOf } from '../../../lib/numbers.ts'
import { IconButton } from '../../../ui/Button.tsx'
import { Meter } from '../../../ui/charts.tsx'
import { IconQuote, IconSearch, IconUsers, IconX } from '../../../ui/icons.ts'
import { PriorityBars } from '../../../ui/PriorityBars.tsx'
import { SectionHead } from '../../../ui/SectionHead.tsx'
import { Time } from '../../../ui/Time.tsx'
import { StatusSign, TypeBadge } from '../../themes/signs.tsx'
import type { InboxReport } from '../api.ts'
import { unlinkReport } from '../edits.ts'
import { describeReport, suggestionOf } from '../happenings.ts'
import type { Decisions } from '../use-decisions.ts'
import css from './Inspector.module.css'

interface Props {
  projectId: string
  report: InboxReport
  decisions: Decisions
  mayWrite: boolean
}

/** Where it is or may belong, what is like it, who reported it, and what happened to it. */
export function Inspector(props: Props) {
  const { projectId, report } = props
  const also = useMemo(() => suggestionOf(report), [report])
  return (
    <div className={css.inspector}>
      {report.quotes.length > 0 && <Quotes {...props} />}
      {report.status === 'to_process' && <Suggestions {...props} />}
      <SimilarItems {...props} />
      <Others {...props} />
      <Timeline projectId={projectId} subjectId={report.id} describe={describeReport} also={also} />
    </div>
  )
}

function Quotes({ projectId, report, decisions, mayWrite }: Props) {
  return (
    <section>
      <SectionHead title="In themes" />
      {report.quotes.map(({ theme, text_excerpt, reason, is_by_person }) => (
        <div key={theme.id} className={css.quote}>
          <div className={css.line}>
            <StatusSign status={theme.status} size={14} />
            <ThemeLink projectId={projectId} number={theme.number} title={theme.title} />
            {mayWrite && (
              <IconButton
                small
                label={`Take out of ${theme.display_id}`}
                onClick={() => void unlinkReport(projectId, { item: report, theme })}
              >
                <IconX size={14} stroke={1.75} />
              </IconButton>
            )}
          </div>
          <blockquote className={css.excerpt} dir="auto">
            {text_excerpt}
          </blockquote>
          <p className={css.reason}>{reason ? plain(reason) : is_by_person ? 'A person put it there.' : ''}</p>
        </div>
      ))}
      {mayWrite && (
        <button type="button" className={css.choose} onClick={decisions.choose}>
          <IconQuote size={15} stroke={1.75} /> Quote to another theme
        </button>
      )}
    </section>
  )
}

/** Triage marks words with asterisks. */
const plain = (reason: string) => reason.replaceAll('*', '')

function Suggestions({ projectId, report, decisions, mayWrite }: Props) {
  const { suggested, linkTo, choose } = decisions
  const others = report.candidates.filter((one) => one.id !== suggested?.id)
  return (
    <section>
      <SectionHead title={suggested ? 'Suggested by feedback triage' : 'Where it may belong'} />
      {report.verdict === 'not_feedback' && <p className={css.reason}>It looks like advertising.</p>}
      {suggested && (
        <div className={css.card}>
          <div className={css.line}>
            <span>{suggested.display_id}</span>
            <TypeBadge type={suggested.type} />
            <span className={css.grow} />
            <PriorityBars priority={suggested.priority} />
            <StatusSign status={suggested.status} />
          </div>
          <strong className={css.title}>
            <ThemeLink projectId={projectId} number={suggested.number} title={suggested.title} withoutCode />
          </strong>
          <p className={css.facts}>
            <IconUsers size={14} stroke={1.75} /> {countOf(suggested.people_count, 'person', 'people')}
            <IconQuote size={14} stroke={1.75} /> {countOf(suggested.quote_count, 'quote')}
            {suggested.work_order_numbers.length > 0 && ` · WO-${suggested.work_order_numbers[0]}`}
          </p>
          <p className={css.why}>
            {suggested.shared_words.length > 0 ? (
              <>
                shares <em>{suggested.shared_words.join(', ')}</em> with {suggested.display_id}
              </>
            ) : (
              'means much the same in other words'
            )}
          </p>
          <div className={css.line}>
            Score{' '}
            <Meter
              className={css.meter}
              label="Score"
              value={suggested.score}
              max={1}
              text={suggested.score.toFixed(2)}
            />
            <strong>{suggested.score.toFixed(2)}</strong>
          </div>
        </div>
      )}
      {!suggested && (
        <p className={css.reason}>
          {report.is_suggestion_due ? 'Comparing it with your themes…' : 'No theme is near enough to suggest it.'}
        </p>
      )}
      {others.map((one) => (
        <button
          key={one.id}
          type="button"
          className={css.other}
          disabled={!mayWrite}
          title={mayWrite ? `Link to ${one.display_id}` : undefined}
          onClick={() => linkTo(one)}
        >
          <span>{one.display_id}</span>
          <span className={css.name}>{one.title}</span>
          <span>{one.score.toFixed(2)}</span>
        </button>
      ))}
      {mayWrite && (
        <button type="button" className={css.choose} onClick={choose}>
          <IconSearch size={15} stroke={1.75} /> Choose {report.candidates.length > 0 ? 'another' : 'a'} theme
        </button>
      )}
    </section>
  )
}

function SimilarItems({ projectId, report }: Props) {
  if (report.similar_items.length === 0) return null
  return (
    <section>
      <SectionHead title="Similar items" />
      {report.similar_items.map((one) => (
        <ReportLink key={one.number} projectId={projectId} number={one.number} title={one.title}>
          <span>FB-{one.number}</span>
          <span className={css.name}>{one.end_user_email}</span>
          {one.theme_numbers[0] !== undefined && <span className={css.code}>TH-{one.theme_numbers[0]}</span>}
          <span>{one.score.toFixed(2)}</span>
        </ReportLink>
      ))}
    </section>
  )
}

function Others({ projectId, report }: Props) {
  const { other_reports, report_count } = report.reporter
  if (other_reports.length === 0) return null
  const more = report_count - 1 - other_reports.length
  return (
    <section>
      <SectionHead title="From the same person" />
      {other_reports.map((one) => (
        <ReportLink key={one.number} projectId={projectId} number={one.number} title={one.title}>
          <span>FB-{one.number}</span>
          <span className={css.name}>{one.status === 'to_process' ? 'To process' : 'Processed'}</span>
          <Time at={one.created_at} as="day" />
        </ReportLink>
      ))}
      {more > 0 && (
        <Link
          to="/p/$projectId/feedback"
          params={{ projectId }}
          search={{ status: 'all', person: report.end_user_email }}
          className={css.choose}
        >
          Show all {report_count}
        </Link>
      )}
    </section>
  )
}

interface ReportLinkProps {
  projectId: string
  number: number
  title: string
  children: ReactNode
}

const ReportLink = ({ projectId, number, title, children }: ReportLinkProps) => (
  <Link
    to="/p/$projectId/feedback/$number"
    params={{ projectId, number: String(number) }}
    search={true}
    className={css.report}
  >
    <span className={css.reportTitle} dir="auto">
      {title}
    </span>
    <span className={css.line}>{children}</span>
  </Link>
)

interface ThemeLinkProps {
  projectId: string
  number: number
  title: string
  withoutCode?: boolean
}

const ThemeLink = ({ projectId, number, title, withoutCode }: ThemeLinkProps) => (
  <Link
    to="/p/$projectId/feedback/themes/$number"
    params={{ projectId, number: String(number) }}
    className={css.name}
    title={title}
  >
    {!withoutCode && `TH-${number} `}
    {title}
  </Link>
)
