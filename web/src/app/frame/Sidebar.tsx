import { useQuery } from '@tanstack/react-query'
import { Link, useRouteContext } from '@tanstack/react-router'
import { DocumentModules, SidebarTree, useDocumentKind } from '../../documents/sidebar.tsx'
import { countsQuery } from '../../lib/counts.ts'
import { useMayWrite } from '../../lib/may-write.ts'
import { formatCount } from '../../lib/numbers.ts'
import { openPalette } from '../../lib/overlays.ts'
import { isSidebarHidden } from '../../lib/sidebar-state.ts'
import { useStore } from '../../lib/store.ts'
import { Avatar } from '../../people/Avatar.tsx'
import {
  IconChecklist,
  IconFlag,
  IconListCheck,
  IconPlus,
  IconRobot,
  IconSearch,
  IconSelector,
  IconSettings,
  IconUser,
} from '../../ui/icons.ts'
import { Kbd } from '../../ui/Kbd.tsx'
import { ProjectMark, ProjectSwitcher } from '../../ui/ProjectSwitcher.tsx'
import { claimsQuery, phasesQuery, viewsQuery } from '../../work-orders/api.ts'
import type { WorkOrderSearch } from '../../work-orders/search.ts'
import { SavedViews } from '../../work-orders/views/SavedViews.tsx'
import { phaseName } from '../../work-orders/work-order.ts'
import css from './Sidebar.module.css'
import { UserMenu } from './UserMenu.tsx'

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
  const hidden = useStore(isSidebarHidden)
  const total = useQuery({ ...countsQuery(project.id), select: (counts) => counts.work_orders }).data
  const phases = useQuery(phasesQuery(project.id)).data ?? []
  const claims = useQuery({ ...claimsQuery(project.id), select: (all) => all.length }).data ?? 0
  // Where the phases stand depends on how many views there are.
  const views = useQuery(viewsQuery(project.id))
  const documentKind = useDocumentKind()
  const mayWrite = useMayWrite()
  const me = { id: session.user.id, name: session.user.display_name, email: session.user.email }
  return (
    <aside className={css.sidebar} aria-label="Sidebar" hidden={hidden}>
      <ProjectSwitcher
        target={({ toggle, open }) => (
          <button type="button" className={css.project} aria-expanded={open} onClick={toggle}>
            <ProjectMark name={project.name} />
            <span className={css.projectName}>{project.name}</span>
            <IconSelector size={16} stroke={1.75} />
          </button>
        )}
      />
      <button type="button" className={css.search} onClick={openPalette}>
        <IconSearch size={16} stroke={1.75} />
        <span className={css.grow}>Search</span>
        <Kbd keys="mod+k" joined />
      </button>
      <nav className={css.nav} aria-label="Modules">
        <DocumentModules className={css.module} countClassName={css.count} growClassName={css.grow} />
        <Link
          to="/p/$projectId/work-orders"
          params={params}
          className={css.module}
          activeProps={{ 'data-active': true }}
        >
          <IconChecklist size={17} stroke={1.75} />
          <span className={css.grow}>Work Orders</span>
          {total !== undefined && <span className={css.count}>{formatCount(total)}</span>}
        </Link>
      </nav>
      {documentKind ? (
        <SidebarTree kind={documentKind} />
      ) : (
        <div className={css.views}>
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
      )}
      <Link
        to="/p/$projectId/settings"
        params={params}
        className={css.module}
        activeProps={{ 'data-active': true }}
        preload={false}
      >
        <IconSettings size={17} stroke={1.75} />
        <span className={css.grow}>Settings</span>
      </Link>
      <UserMenu
        target={({ toggle, open }) => (
          <button type="button" className={css.module} aria-expanded={open} onClick={toggle}>
            <Avatar person={me} size={20} />
            <span className={css.grow}>{me.name}</span>
          </button>
        )}
      />
    </aside>
  )
}
