import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useRouteContext } from '@tanstack/react-router'
import { useEffect, useMemo } from 'react'
import { useWidth, WITH_INSPECTOR } from '../../lib/breakpoints.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { rememberVisit } from '../../lib/recents.ts'
import { useSteadyOrder } from '../../lib/use-steady-order.ts'
import { IconChevronLeft } from '../../ui/icons.ts'
import { Steps } from '../../ui/Steps.tsx'
import { TopBar } from '../../ui/TopBar.tsx'
import { loadAllRows, rowsQuery, workOrderQuery } from '../api.ts'
import { usePropertyKeys } from '../batch/use-property-keys.ts'
import { sortRows } from '../rows/rows.ts'
import { useShortcut } from '../shortcuts.ts'
import { codeOf, DEFAULT_SORT, type WorkOrderRow } from '../work-order.ts'
import { PageMenu } from './PageMenu.tsx'
import { Properties } from './Properties.tsx'
import { WorkOrderDetail } from './WorkOrderDetail.tsx'
import css from './WorkOrderPage.module.css'

/** One work order as a page of its own. */
export function WorkOrderPage() {
  const { number } = useParams({ from: '/signed-in/p/$projectId/work-orders/$number' })
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const navigate = useNavigate()
  const { data: workOrder, error } = useQuery(workOrderQuery(project.id, Number(number)))
  const hasInspector = useWidth(WITH_INSPECTOR)
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
              <span className={css.wide}>
                <Link to="/p/$projectId/work-orders" params={{ projectId: project.id }}>
                  Work Orders
                </Link>{' '}
                /{' '}
              </span>
              <strong>WO-{number}</strong>
            </>
          }
          tools={<Neighbors workOrder={workOrder} projectId={project.id} />}
        >
          {workOrder && <PageMenu workOrder={workOrder} projectId={project.id} />}
        </TopBar>
        <WorkOrderDetail workOrder={workOrder} projectId={project.id} withProperties={!hasInspector} />
      </div>
      {hasInspector && (
        <aside className={css.inspector} aria-label="Properties">
          {workOrder && <Properties workOrder={workOrder} projectId={project.id} head />}
        </aside>
      )}
    </div>
  )
}

const likeIn = (rows: WorkOrderRow[], { status }: WorkOrderRow) =>
  sortRows(
    rows.filter((row) => row.status === status),
    DEFAULT_SORT,
  )

interface NeighborsProps {
  workOrder: WorkOrderRow | undefined
  projectId: string
}

/** The work orders of the same status, in the order of the list. They are loaded when somebody goes to the next one. */
function Neighbors({ workOrder, projectId }: NeighborsProps) {
  const rows = useQuery({ ...rowsQuery(projectId), enabled: false }).data
  const navigate = useNavigate()
  const same = useMemo(() => (rows && workOrder ? likeIn(rows, workOrder) : []).map(({ id }) => id), [rows, workOrder])
  const order = useSteadyOrder(same, workOrder?.id)
  const at = order.indexOf(workOrder?.id ?? '')
  const go = async (by: number) => {
    if (!workOrder) return
    const all = rows ?? (await loadAllRows(projectId))
    const ids = at >= 0 ? order : likeIn(all, workOrder).map(({ id }) => id)
    const next = ids[ids.indexOf(workOrder.id) + by]
    const row = all.find(({ id }) => id === next)
    if (row)
      await navigate({
        to: '/p/$projectId/work-orders/$number',
        params: { projectId, number: String(row.work_order_number) },
      })
  }
  return (
    <span className={css.neighbors}>
      <Steps at={at} total={order.length} mayStep={workOrder !== undefined} onStep={(by) => void go(by)} />
    </span>
  )
}
