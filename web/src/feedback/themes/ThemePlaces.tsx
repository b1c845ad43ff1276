import { useQuery } from '@tanstack/react-query'
import { Link, useRouteContext, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { formatCount } from '../../lib/numbers.ts'
import { IconCircleCheck, IconCircleX, IconFileText, IconStack2, IconUser } from '../../ui/icons.ts'
import css from '../../ui/SidebarList.module.css'
import { themeCountsQuery } from './api.ts'
import type { ThemeSearch } from './search.ts'

const SIZE = { size: 15, stroke: 1.75 }
/** More features than this are found by the filter. */
const MOST_FEATURES = 12

/** The lists of themes, by what became of them and by feature. */
export function ThemePlaces() {
  const { project, session } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const counts = useQuery(themeCountsQuery(project.id)).data
  const open = counts && counts.statuses.unresolved + counts.statuses.in_progress
  const features = counts?.features ?? []
  return (
    <nav aria-label="Themes">
      <h2 className={css.heading}>Themes</h2>
      <Place search={{}} icon={<IconStack2 {...SIZE} />} count={open}>
        Open
      </Place>
      <Place search={{ assignee: session.user.id }} icon={<IconUser {...SIZE} />} count={counts?.assigned_to_me}>
        Assigned to me
      </Place>
      <Place search={{ status: 'resolved' }} icon={<IconCircleCheck {...SIZE} />} count={counts?.statuses.resolved}>
        Resolved
      </Place>
      <Place search={{ status: 'dismissed' }} icon={<IconCircleX {...SIZE} />} count={counts?.statuses.dismissed}>
        Dismissed
      </Place>
      {features.length > 0 && <h2 className={css.heading}>By feature</h2>}
      {features.slice(0, MOST_FEATURES).map(({ id, title, count }) => (
        <Place key={id} search={{ feature: id ?? 'none' }} icon={<IconFileText {...SIZE} />} count={count}>
          {title ?? 'No feature yet'}
        </Place>
      ))}
    </nav>
  )
}

interface PlaceProps {
  search: ThemeSearch
  icon: ReactNode
  count: number | undefined
  children: ReactNode
}

function Place({ search, icon, count, children }: PlaceProps) {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const { beside: _, rank: __, ...shown }: ThemeSearch = useSearch({ strict: false })
  const isShown = JSON.stringify(shown) === JSON.stringify(search)
  return (
    <Link
      to="/p/$projectId/feedback/themes"
      params={{ projectId: project.id }}
      search={search}
      className={css.view}
      activeProps={{}}
      data-active={isShown || undefined}
      aria-current={isShown ? 'page' : undefined}
    >
      {icon}
      <span className={css.grow}>{children}</span>
      {count !== undefined && <span className={css.count}>{formatCount(count)}</span>}
    </Link>
  )
}
