import { useQuery } from '@tanstack/react-query'
import { Link, useRouteContext, useSearch } from '@tanstack/react-router'
import { cx } from '../../lib/cx.ts'
import { useMayWrite } from '../../lib/may-write.ts'
import { IconBookmark, IconPencil, IconTrash, IconUsers } from '../../ui/icons.ts'
import { MoreMenu } from '../../ui/MoreMenu.tsx'
import sidebar from '../../ui/SidebarList.module.css'
import { viewsQuery } from '../api.ts'
import css from './SavedViews.module.css'
import { deleteView, namedView, searchOf, type WorkOrderView } from './saved-views.ts'

/** The saved views, in the sidebar. */
export function SavedViews() {
  const { project, session } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const views = useQuery(viewsQuery(project.id)).data ?? []
  const mayWrite = useMayWrite()
  const current = useSearch({ strict: false }).saved
  return views.map((view) => (
    <div key={view.id} className={css.line}>
      <Link
        to="/p/$projectId/work-orders"
        params={{ projectId: project.id }}
        search={searchOf(view)}
        className={cx(sidebar.view, css.link)}
        data-active={current === view.id || undefined}
        title={view.shared ? `${view.name}, shown to everyone` : view.name}
      >
        {view.shared ? <IconUsers size={15} stroke={1.75} /> : <IconBookmark size={15} stroke={1.75} />}
        <span className={css.name}>{view.name}</span>
      </Link>
      {mayWrite && (view.owner_id === session.user.id || project.role === 'admin') && (
        <ViewMenu view={view} projectId={project.id} />
      )}
    </div>
  ))
}

function ViewMenu({ view, projectId }: { view: WorkOrderView; projectId: string }) {
  const size = { size: 16, stroke: 1.75 }
  return (
    <MoreMenu
      small
      label={`More about the view ${view.name}`}
      className={css.more}
      place="right-start"
      onPick={(value) => {
        if (value === 'change') namedView.set({ view })
        else void deleteView(projectId, view)
      }}
      options={[
        { value: 'change', label: 'Rename or share…', icon: <IconPencil {...size} /> },
        { value: 'delete', label: 'Delete', icon: <IconTrash {...size} />, divided: true },
      ]}
    />
  )
}
