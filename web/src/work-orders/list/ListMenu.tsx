import { useQuery } from '@tanstack/react-query'
import { useRouteContext, useSearch } from '@tanstack/react-router'
import { useMayWrite } from '../../lib/may-write.ts'
import { showToast } from '../../lib/toasts.ts'
import { IconBookmark, IconFileSpreadsheet, IconRefresh, IconTag } from '../../ui/icons.ts'
import { MoreMenu } from '../../ui/MoreMenu.tsx'
import css from '../../ui/toolbar/Toolbar.module.css'
import { viewsQuery } from '../api.ts'
import { isManagingLabels } from '../labels/edits.ts'
import { changeView, namedView, queryOf } from '../views/saved-views.ts'
import type { WorkOrderRow } from '../work-order.ts'

/** What can be done with the list as a whole. */
export function ListMenu({ rows }: { rows: WorkOrderRow[] | undefined }) {
  const { project, session } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const search = useSearch({ from: '/signed-in/p/$projectId/work-orders' })
  const view = useQuery(viewsQuery(project.id)).data?.find(({ id }) => id === search.saved)
  const mayWrite = useMayWrite()
  const mayChange = mayWrite && view && (view.owner_id === session.user.id || project.role === 'admin')
  const isChanged = mayChange && view.query !== queryOf(search)
  const size = { size: 16, stroke: 1.75 }
  const update = async () => {
    const { state } = await changeView(project.id, { view: view!, change: { query: queryOf(search) } })
    if (state === 'saved') showToast({ text: `View ${view!.name} updated` })
  }
  const pick = (value: string) => {
    if (value === 'save') namedView.set({ query: queryOf(search) })
    else if (value === 'update') void update()
    else if (value === 'labels') isManagingLabels.set(true)
    else void import('../csv.ts').then(({ downloadRows }) => downloadRows(rows ?? [], project.name))
  }
  return (
    <MoreMenu
      label="More"
      className={css.more}
      onPick={pick}
      options={[
        ...(isChanged ? [{ value: 'update', label: `Update view ${view.name}`, icon: <IconRefresh {...size} /> }] : []),
        ...(mayWrite ? [{ value: 'save', label: 'Save as view…', icon: <IconBookmark {...size} /> }] : []),
        { value: 'csv', label: 'Export CSV', icon: <IconFileSpreadsheet {...size} />, divided: mayWrite },
        ...(mayWrite ? [{ value: 'labels', label: 'Manage labels…', icon: <IconTag {...size} /> }] : []),
      ]}
    />
  )
}
