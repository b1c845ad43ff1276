import { useQuery } from '@tanstack/react-query'
import { Link, useRouteContext } from '@tanstack/react-router'
import { countsQuery } from '../../lib/counts.ts'
import { formatCount } from '../../lib/numbers.ts'
import { IconStack2 } from '../../ui/icons.ts'
import css from '../../ui/SidebarList.module.css'

export function ThemePlaces() {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const open = useQuery(countsQuery(project.id)).data?.themes_open
  return (
    <nav aria-label="Themes">
      <h2 className={css.heading}>Themes</h2>
      <Link
        to="/p/$projectId/feedback/themes"
        params={{ projectId: project.id }}
        className={css.view}
        activeProps={{ 'data-active': true }}
      >
        <IconStack2 size={15} stroke={1.75} />
        <span className={css.grow}>Open</span>
        {open !== undefined && <span className={css.count}>{formatCount(open)}</span>}
      </Link>
    </nav>
  )
}
