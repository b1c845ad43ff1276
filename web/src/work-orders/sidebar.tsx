import { useQuery } from '@tanstack/react-query'
import { Link, useRouteContext } from '@tanstack/react-router'
import { useMayWrite } from '../lib/may-write.ts'
import { IconFlag, IconListCheck, IconPlus, IconRobot, IconUser } from '../ui/icons.ts'
import css from '../ui/SidebarList.module.css'
import { claimsQuery, phasesQuery, viewsQuery } from './api.ts'
import type { WorkOrderSearch } from './search.ts'
import { SavedViews } from './views/SavedViews.tsx'
import { phaseName } from './work-order.ts'

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

export function Sidebar() {
  const { session, project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const params = { projectId: project.id }
  const phases = useQuery(phasesQuery(project.id)).data ?? []
  const claims = useQuery({ ...claimsQuery(project.id), select: (all) => all.length }).data ?? 0
  // Where the phases stand depends on how many views there are.
  const views = useQuery(viewsQuery(project.id))
  const mayWrite = useMayWrite()
  return (
    <div className={css.lists}>
      <nav aria-label="Views">
        <h2 className={css.heading}>Views</h2>
        <Link
          to="/p/$projectId/work-orders"
          params={params}
          search={narrowedTo({})}
          className={css.view}
          activeOptions={{ exact: true, includeSearch: true }}
          activeProps={{ 'data-active': true }}
        >
          <IconListCheck size={15} stroke={1.75} />
          All work orders
        </Link>
        <Link
          to="/p/$projectId/work-orders"
          params={params}
          search={narrowedTo({ assignee: session.user.id })}
          className={css.view}
          activeOptions={{ exact: true, includeSearch: true }}
          activeProps={{ 'data-active': true }}
        >
          <IconUser size={15} stroke={1.75} />
          Assigned to me
        </Link>
        <Link
          to="/p/$projectId/work-orders"
          params={params}
          search={narrowedTo({ claim: 'agents' })}
          className={css.view}
          activeOptions={{ exact: true, includeSearch: true }}
          activeProps={{ 'data-active': true }}
        >
          <IconRobot size={15} stroke={1.75} />
          <span className={css.grow}>Claimed by agents</span>
          {claims > 0 && <span className={css.count}>{claims}</span>}
        </Link>
        <SavedViews />
      </nav>
      {!views.isPending && (
        <nav aria-label="Phases">
          <h2 className={css.heading}>
            Phases
            {mayWrite && (
              <Link
                to="/p/$projectId/work-orders"
                params={params}
                search={{ view: 'phases' }}
                hash="new-phase"
                className={css.add}
                aria-label="New phase"
                title="New phase"
              >
                <IconPlus size={15} stroke={1.75} />
              </Link>
            )}
          </h2>
          {phases.map((phase) => (
            <Link
              key={phase.id}
              to="/p/$projectId/work-orders"
              params={params}
              search={narrowedTo({ phase: phase.id })}
              className={css.view}
              activeOptions={{ exact: true, includeSearch: true }}
              activeProps={{ 'data-active': true }}
            >
              <IconFlag size={15} stroke={1.75} />
              <span className={css.name}>{phaseName(phase)}</span>
            </Link>
          ))}
        </nav>
      )}
    </div>
  )
}
