import { useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useRouteContext } from '@tanstack/react-router'
import { useEffect, useMemo } from 'react'
import { usePageTitle } from '../../lib/page-title.ts'
import { rememberVisit } from '../../lib/recents.ts'
import { IconButton } from '../../ui/Button.tsx'
import { IconChevronDown, IconChevronLeft, IconChevronUp } from '../../ui/icons.ts'
import { TopBar } from '../../ui/TopBar.tsx'
import { rowsQuery, workOrderQuery } from '../api.ts'
import { usePropertyKeys } from '../batch/use-property-keys.ts'
import { PropertyPicker } from '../picker.tsx'
import { sortRows } from '../rows/rows.ts'
import { useShortcut } from '../shortcuts.ts'
import { codeOf, DEFAULT_SORT, STATUS_NAMES, type WorkOrderRow } from '../work-order.ts'
import { Properties } from './Properties.tsx'
import { WorkOrderDetail } from './WorkOrderDetail.tsx'
import css from './WorkOrderPage.module.css'

const WITH_INSPECTOR = '(min-width: 1081px)'

/** One work order as a page of its own. */
export function WorkOrderPage() {
  const { number } = useParams({ from: '/signed-in/p/$projectId/work-orders/$number' })
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const navigate = useNavigate()
  const { data: workOrder, error } = useQuery(workOrderQuery(project.id, Number(number)))
  const hasInspector = useMediaQuery(WITH_INSPECTOR, true, { getInitialValueInEffect: false })
  usePageTitle(workOrder && `${codeOf(workOrder)} ${workOrder.title}`)
  const { id, title } = workOrder ?? {}
  useEffect(() => {
    if (id && title !== undefined) rememberVisit(project.id, { kind: 'work_order', id, number: Number(number), title })
  }, [project.id, id, number, title])
  if (error && !workOrder) throw error
  useShortcut('back', () => void navigate({ to: '/p/$projectId/work-orders', params: { projectId: project.id } }))
  usePropertyKeys((property) => ({
    rows: workOrder ? [workOrder] : [],
    beside: document.querySelector(`[data-property="${property}"]`),
  }))
  return (
    <div className={css.page}>
      <div className={css.main}>
        <TopBar
          path={
            <>
              <Link
                to="/p/$projectId/work-orders"
                params={{ projectId: project.id }}
                className={css.back}
                aria-label="Back to the list"
              >
                <IconChevronLeft size={18} stroke={1.75} />
              </Link>
              <Link to="/p/$projectId/work-orders" params={{ projectId: project.id }}>
                Work Orders
              </Link>{' '}
              / <strong>WO-{number}</strong>
            </>
          }
          tools={workOrder && <Neighbors workOrder={workOrder} projectId={project.id} />}
        />
        <WorkOrderDetail workOrder={workOrder} projectId={project.id} withProperties={!hasInspector} />
      </div>
      {hasInspector && (
        <aside className={css.inspector} aria-label="Properties">
          {workOrder && <Properties workOrder={workOrder} projectId={project.id} head />}
        </aside>
      )}
      <PropertyPicker />
    </div>
  )
}

/** The work orders of the same status, in the order of the list. */
function Neighbors({ workOrder, projectId }: { workOrder: WorkOrderRow; projectId: string }) {
  const rows = useQuery(rowsQuery(projectId)).data
  const navigate = useNavigate()
  const same = useMemo(
    () => sortRows(rows?.filter(({ status }) => status === workOrder.status) ?? [], DEFAULT_SORT),
    [rows, workOrder.status],
  )
  const at = same.findIndex(({ id }) => id === workOrder.id)
  const go = (row: WorkOrderRow | undefined) =>
    row &&
    void navigate({
      to: '/p/$projectId/work-orders/$number',
      params: { projectId, number: String(row.work_order_number) },
    })
  useShortcut('next', () => go(same[at + 1]))
  useShortcut('previous', () => go(same[at - 1]))
  if (at < 0) return null
  return (
    <span className={css.neighbors}>
      {at + 1} of {same.length} {STATUS_NAMES[workOrder.status].toLowerCase()}
      <IconButton label="Previous" small disabled={at === 0} onClick={() => go(same[at - 1])}>
        <IconChevronUp size={16} stroke={1.75} />
      </IconButton>
      <IconButton label="Next" small disabled={at === same.length - 1} onClick={() => go(same[at + 1])}>
        <IconChevronDown size={16} stroke={1.75} />
      </IconButton>
    </span>
  )
}
