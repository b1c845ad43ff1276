import { useQuery } from '@tanstack/react-query'
import { Link, useRouteContext } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { countsQuery } from '../../lib/counts.ts'
import { formatCount } from '../../lib/numbers.ts'
import { IconChecks, IconInbox, IconListDetails } from '../../ui/icons.ts'
import css from '../../ui/SidebarList.module.css'
import type { InboxSearch } from '../search.ts'

const SIZE = { size: 15, stroke: 1.75 }

export function InboxPlaces() {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const counts = useQuery(countsQuery(project.id)).data
  const all = counts?.feedback_items
  const open = counts?.feedback_to_process
  return (
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
  return (
    <Link
      to="/p/$projectId/feedback"
      params={{ projectId: project.id }}
      search={search}
      className={css.view}
      activeOptions={{ includeSearch: true, exact: true }}
      activeProps={{ 'data-active': true }}
    >
      {icon}
      <span className={css.grow}>{children}</span>
      {count !== undefined && <span className={css.count}>{formatCount(count)}</span>}
    </Link>
  )
}
