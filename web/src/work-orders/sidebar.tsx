import { useQuery } from '@tanstack/react-query'
import { Link, useRouteContext } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useMayWrite } from '../lib/may-write.ts'
import { IconFlag, IconListCheck, IconPlus, IconRobot, IconUser } from '../ui/icons.ts'
import css from '../ui/SidebarList.module.css'
import { claimsQuery, phasesQuery, viewsQuery } from './api.ts'
import type { WorkOrderSearch } from './search.ts'
import { SavedViews } from './views/SavedViews.tsx'
import { phaseName } from './work-order.ts'

const SIZE = { size: 15, stroke: 1.75 }

/** The list with these filters only, in the same view and order. Then it is called current in each of them. */
const narrowedTo =
  (filters: WorkOrderSearch) =>
  ({ view, sort, group, show, completed, beside }: WorkOrderSearch): WorkOrderSearch => ({
    view,
    sort,
    group,
    show,
    completed,
    beside,
    ...filters,
  })

interface PlaceProps {
  filters: WorkOrderSearch
  icon: ReactNode
  children: ReactNode
}

function Place({ filters, icon, children }: PlaceProps) {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  return (
    <Link
      to="/p/$projectId/work-orders"
      params={{ projectId: project.id }}
      search={narrowedTo(filters)}
      className={css.view}
      activeOptions={{ exact: true, includeSearch: true }}
      activeProps={{ 'data-active': true }}
    >
      {icon}
      {children}
    </Link>
  )
}

export function Sidebar() {
  const { session, project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const phases = useQuery(phasesQuery(project.id)).data ?? []
  const claims = useQuery({ ...claimsQuery(project.id), select: (all) => all.length }).data ?? 0
  // Where the phases stand depends on how many views there are.
  const views = useQuery(viewsQuery(project.id))
  const mayWrite = useMayWrite()
  return (
    <div className={css.lists}>
      <nav aria-label="Views">
        <h2 className={css.heading}>Views</h2>
        <Place filters={{}} icon={<IconListCheck {...SIZE} />}>
          All work orders
        </Place>
        <Place filters={{ assignee: session.user.id }} icon={<IconUser {...SIZE} />}>
          Assigned to me
        </Place>
        <Place filters={{ claim: 'agents' }} icon={<IconRobot {...SIZE} />}>
          <span className={css.grow}>Claimed by agents</span>
          {claims > 0 && <span className={css.count}>{claims}</span>}
        </Place>
        <SavedViews />
      </nav>
      {!views.isPending && (
        <nav aria-label="Phases">
          <h2 className={css.heading}>
            Phases
            {mayWrite && (
              <Link
                to="/p/$projectId/work-orders"
                params={{ projectId: project.id }}
                search={{ view: 'phases' }}
                hash="new-phase"
                className={css.add}
                aria-label="New phase"
                title="New phase"
              >
                <IconPlus {...SIZE} />
              </Link>
            )}
          </h2>
          {phases.map((phase) => (
            <Place key={phase.id} filters={{ phase: phase.id }} icon={<IconFlag {...SIZE} />}>
              <span className={css.name}>{phaseName(phase)}</span>
            </Place>
          ))}
        </nav>
      )}
    </div>
  )
}
