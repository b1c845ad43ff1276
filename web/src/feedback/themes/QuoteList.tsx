import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { formatCount } from '../../lib/numbers.ts'
import { ActorMark } from '../../people/ActorMark.tsx'
import { CheckMark } from '../../ui/Checkbox.tsx'
import { IconChevronDown, IconPaperclip } from '../../ui/icons.ts'
import { LoadFault } from '../../ui/LoadFault.tsx'
import { Time } from '../../ui/Time.tsx'
import { SourceSign } from '../SourceSign.tsx'
import { type QuotedReport, reportsQuery, type ThemeRow } from './api.ts'
import css from './QuoteList.module.css'
import detail from './ThemeDetail.module.css'

interface Props {
  row: ThemeRow
  projectId: string
  /** The ids of the chosen reports. Without it, none can be chosen. */
  chosen?: ReadonlySet<string> | undefined
  onChoose?(itemId: string): void
}

/** What customers said, newest first. The marked words are the quote, the gray ones the rest of the report. */
export function QuoteList({ row, projectId, chosen, onChoose }: Props) {
  const query = useInfiniteQuery(reportsQuery(projectId, row.id))
  const quotes = query.data?.pages.flatMap(({ items }) => items)
  const left = row.quote_count - (quotes?.length ?? 0)
  if (query.error && !quotes) return <LoadFault what="The quotes" error={query.error} onRetry={query.refetch} />
  return (
    <>
      <ul className={css.quotes}>
        {quotes?.map((quote) => (
          <li key={quote.id}>
            {chosen && onChoose && (
              <label className={css.choose}>
                <input
                  type="checkbox"
                  className="sr-only"
                  checked={chosen.has(quote.feedback_item_id)}
                  onChange={() => onChoose(quote.feedback_item_id)}
                />
                <span className="sr-only">Choose the quote of {quote.display_id}</span>
                <CheckMark checked={chosen.has(quote.feedback_item_id)} />
              </label>
            )}
            <div className={css.quote}>
              <blockquote dir="auto">
                <Words quote={quote} />
              </blockquote>
              <p className={css.source}>
                <span className={css.email}>{quote.end_user_email}</span>
                {quote.attachment_count > 0 && (
                  <span className={css.files} title={`${quote.attachment_count} attached`}>
                    <IconPaperclip size={14} stroke={1.75} />
                    {quote.attachment_count}
                  </span>
                )}
                {quote.source && (
                  <span className={css.through}>
                    <SourceSign isByHand={quote.is_by_hand} />
                    <span>{quote.source}</span>
                  </span>
                )}
                <span className={css.grow} />
                {!quote.is_by_person && <ActorMark actor={placedBy(quote)} size={16} />}
                <Link
                  to="/p/$projectId/feedback/$number"
                  params={{ projectId, number: quote.display_id.slice(3) }}
                  title={quote.reason ?? undefined}
                >
                  {quote.display_id}
                </Link>
                <Time at={quote.reported_at} as="day" />
              </p>
            </div>
          </li>
        ))}
      </ul>
      {quotes?.length === 0 && <p className={detail.none}>No quotes yet. Link reports from the inbox.</p>}
      {query.hasNextPage && (
        <button
          type="button"
          className={detail.more}
          disabled={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          Show {left > 0 ? `${formatCount(left)} more` : 'more'}
          <IconChevronDown size={15} stroke={1.75} />
        </button>
      )}
    </>
  )
}

/** Triage says why. */
const placedBy = ({ reason }: QuotedReport) => ({
  type: 'automation' as const,
  id: null,
  name: reason ? `Feedback triage: ${reason.replaceAll('*', '')}` : 'An agent or a program put it there',
  on_behalf_of: null,
})

/** Customers write plain text: nothing in it becomes markup. */
function Words({ quote: { content, text_excerpt: excerpt } }: { quote: QuotedReport }) {
  const at = content.indexOf(excerpt)
  if (at < 0) return <mark>{excerpt}</mark>
  return (
    <>
      {content.slice(0, at)}
      <mark>{excerpt}</mark>
      {content.slice(at + excerpt.length)}
    </>
  )
}
