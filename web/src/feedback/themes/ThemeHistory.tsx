import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { activityQuery } from '../../activity/api.ts'
import type { Change } from '../../lib/changes.ts'
import { inWords } from '../../lib/kinds.ts'
import { countOf, formatCount } from '../../lib/numbers.ts'
import { ActorMark } from '../../people/ActorMark.tsx'
import { IconChevronDown } from '../../ui/icons.ts'
import { Time } from '../../ui/Time.tsx'
import type { ThemeRow } from './api.ts'
import detail from './ThemeDetail.module.css'
import css from './ThemeHistory.module.css'

interface Payload {
  theme_number?: number
  work_order_id?: string
  title?: string
  reason?: string
  from?: string
  to?: string
  fields?: string[]
  people_count?: number
  is_by_hand?: boolean
  sent_count?: number
  failed_count?: number
}

/** Who made, merged, split and changed the theme, and why. */
export function ThemeHistory({ row, projectId }: { row: ThemeRow; projectId: string }) {
  const query = useInfiniteQuery(activityQuery(projectId, row.id))
  const entries = (query.data?.pages.flatMap(({ items }) => items) ?? []).flatMap((change) => {
    const words = wordsOf(change, row)
    return words === undefined ? [] : [{ change, words }]
  })
  return (
    <section aria-label="History" className={detail.part}>
      <h2 className={detail.partHead}>History</h2>
      <ol className={css.history}>
        {entries.map(({ change, words }) => (
          <li key={change.id}>
            <ActorMark actor={change.actor} />
            <p>
              <strong>{change.actor.name}</strong> {words}
              {(change.payload as Payload).reason && (
                <span className={css.reason}>{(change.payload as Payload).reason}</span>
              )}
            </p>
            <Time at={change.created_at} as="day" />
          </li>
        ))}
      </ol>
      {query.hasNextPage && (
        <button
          type="button"
          className={detail.more}
          disabled={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          Show earlier
          <IconChevronDown size={15} stroke={1.75} />
        </button>
      )}
    </section>
  )
}

/** Single quotes that come and go are in the list, not here. */
function wordsOf({ kind, payload }: Change, row: ThemeRow): ReactNode | undefined {
  const { theme_number, title, to, fields, people_count = 0, is_by_hand } = payload as Payload
  const other = theme_number ? <strong>TH-{theme_number}</strong> : 'another theme'
  switch (kind) {
    case 'theme.created':
      return 'made the theme'
    case 'theme.restored':
      return 'brought the theme back'
    case 'theme.merged':
      return (
        <>
          merged {other} “{title}” into it
        </>
      )
    case 'theme.merged_undone':
      return <>took the merge of {other} back</>
    case 'theme.split':
      return (
        <>
          split off {other} “{title}”
        </>
      )
    case 'theme.split_undone':
      return <>took the split of {other} back</>
    case 'theme.status_changed':
      return <>set the status to {inWords(to ?? '')}</>
    case 'theme.work_order_linked':
      return <>linked {workOrderOf(payload as Payload, row)}</>
    case 'theme.work_order_unlinked':
      return <>unlinked {workOrderOf(payload as Payload, row)}</>
    case 'theme.people_told':
      return `${is_by_hand ? 'copied the mail for' : 'told'} ${countOf(people_count, 'person', 'people')}`
    case 'theme.mails_retried':
      return `sent ${countOf(people_count, 'mail')} again`
    case 'theme.mails_sent':
      return sentWords(payload as Payload)
    case 'theme.updated':
      return fields?.every((field) => field === 'status') ? undefined : `changed ${fields?.map(named).join(', ')}`
    default:
      return undefined
  }
}

/** One that is not linked any more has no name here. */
const workOrderOf = ({ work_order_id }: Payload, { work_orders }: ThemeRow) => {
  const linked = work_orders.find(({ id }) => id === work_order_id)
  return linked ? <strong>{linked.display_id}</strong> : 'a work order'
}

const sentWords = ({ sent_count = 0, failed_count = 0 }: Payload) =>
  `sent ${countOf(sent_count, 'mail')}${failed_count > 0 ? `; ${formatCount(failed_count)} failed` : ''}`

const FIELDS: Record<string, string> = {
  feature_requirements_document_id: 'the feature',
  assignee: 'the owner',
  markdown_content: 'the notes',
}
const named = (field: string) => FIELDS[field] ?? `the ${field}`
