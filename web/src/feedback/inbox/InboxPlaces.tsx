import { useQuery } from '@tanstack/react-query'
import { Link, useLocation, useRouteContext, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { countsQuery } from '../../lib/counts.ts'
import { formatCount } from '../../lib/numbers.ts'
import { IconChecks, IconInbox, IconListDetails, IconUser, IconWorld } from '../../ui/icons.ts'
import css from '../../ui/SidebarList.module.css'
import type { InboxSearch } from '../search.ts'
import { sourcesQuery } from './api.ts'

const SIZE = { size: 15, stroke: 1.75 }
const MOST_COUNTED = 1_000

/** What to process, and what it came through. */
export function InboxPlaces() {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const counts = useQuery(countsQuery(project.id)).data
  const sources = useQuery(sourcesQuery(project.id)).data ?? []
  const all = counts?.feedback_items
  const open = counts?.feedback_to_process
  return (
    <>
      <nav aria-label="Inbox">
        <h2 className={css.heading}>Inbox</h2>
        <Place search={{}} icon={<IconInbox {...SIZE} />} count={open}>
          To process
        </Place>
        <Place
          search={{ status: 'processed' }}
          icon={<IconChecks {...SIZE} />}
          count={all !== undefined && open !== undefined ? all - open : undefined}
        >
          Processed
        </Place>
        <Place search={{ status: 'all' }} icon={<IconListDetails {...SIZE} />} count={all}>
          Everything
        </Place>
      </nav>
      {sources.length > 0 && (
        <nav aria-label="Received through">
          <h2 className={css.heading}>Received through</h2>
          {sources.map(({ name, is_by_hand, to_process_count }) => (
            <Place
              key={name}
              search={{ source: name }}
              icon={is_by_hand ? <IconUser {...SIZE} /> : <IconWorld {...SIZE} />}
              count={to_process_count}
            >
              {name}
            </Place>
          ))}
        </nav>
      )}
    </>
  )
}

interface PlaceProps {
  search: InboxSearch
  icon: ReactNode
  count: number | undefined
  children: ReactNode
}

function Place({ search, icon, count, children }: PlaceProps) {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const { status, source } = useSearch({ strict: false }) as InboxSearch
  const isInbox = useLocation({ select: ({ pathname }) => !pathname.endsWith('/feedback/connect') })
  // Every report of the list has an address of its own, which belongs to the same place.
  const isHere = isInbox && status === search.status && source === search.source
  return (
    <Link
      to="/p/$projectId/feedback"
      params={{ projectId: project.id }}
      search={search}
      className={css.view}
      activeProps={{}}
      data-active={isHere || undefined}
      aria-current={isHere ? 'page' : undefined}
    >
      {icon}
      <span className={css.grow}>{children}</span>
      {count !== undefined && (
        <span className={css.count}>{count >= MOST_COUNTED && search.source ? '1,000+' : formatCount(count)}</span>
      )}
    </Link>
  )
}
