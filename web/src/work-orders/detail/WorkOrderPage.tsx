import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useRouteContext } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useShortcut } from '../../app/shortcuts.ts'
import { TopBar } from '../../app/TopBar.tsx'
import { useWrites } from '../../lib/outbox/index.ts'
import { IconButton } from '../../ui/Button.tsx'
import { IconChevronDown, IconChevronLeft, IconChevronUp } from '../../ui/icons.ts'
import { UnsavedChange } from '../../ui/Unsaved.tsx'
import { rowsQuery, workOrderQuery } from '../api.ts'
import { copyForAgent } from '../copy-for-agent.ts'
import { PropertyPicker } from '../picker.tsx'
import { sortRows } from '../rows.ts'
import { DEFAULT_SORT, STATUS_NAMES, type WorkOrderRow } from '../work-order.ts'
import { Activity } from './Activity.tsx'
import { ConnectedList } from './ConnectedList.tsx'
import { Description } from './Description.tsx'
import { Plan } from './Plan.tsx'
import { Properties } from './Properties.tsx'
import { Title } from './Title.tsx'
import css from './WorkOrderPage.module.css'

/** One work order: what is to be done, the plan, what it is connected to, and what people and agents said. */
export function WorkOrderPage() {
  const { number } = useParams({ from: '/signed-in/p/$projectId/work-orders/$number' })
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const navigate = useNavigate()
  const { data: workOrder, error } = useQuery(workOrderQuery(project.id, Number(number)))
  if (error && !workOrder) throw error
  useShortcut('back', () => void navigate({ to: '/p/$projectId/work-orders', params: { projectId: project.id } }))
  useShortcut('copy', workOrder && (() => void copyForAgent([workOrder])))
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
        <div className={css.scroll}>
          {workOrder ? (
            <article className={css.article} key={workOrder.id}>
              <Title workOrder={workOrder} projectId={project.id} />
              <div className={css.narrowProperties}>
                <Properties workOrder={workOrder} />
              </div>
              <UnsavedValues id={workOrder.id} />
              <Description workOrder={workOrder} projectId={project.id} />
              <Plan workOrder={workOrder} projectId={project.id} />
              <ConnectedList workOrder={workOrder} />
              <Activity workOrder={workOrder} projectId={project.id} />
            </article>
          ) : (
            <DetailSkeleton />
          )}
        </div>
      </div>
      <aside className={css.inspector} aria-label="Properties">
        {workOrder && <Properties workOrder={workOrder} head />}
      </aside>
      <PropertyPicker />
    </div>
  )
}

function UnsavedValues({ id }: { id: string }) {
  const failed = useWrites(id).filter(({ kind, state }) => kind === 'work-orders.values' && state === 'failed')
  return failed.map((write) => <UnsavedChange key={write.id} write={write} />)
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

function DetailSkeleton() {
  return (
    <div className={css.article} aria-busy="true">
      {[420, 620, 560, 300].map((width, index) => (
        <div key={width} className={css.bone} style={{ width, maxWidth: '100%', height: index === 0 ? 30 : 14 }} />
      ))}
    </div>
  )
}
