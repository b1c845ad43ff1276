import { useWrites } from '../../lib/outbox/index.ts'
import { UnsavedChange } from '../../ui/Unsaved.tsx'
import type { LoadedWorkOrder } from '../api.ts'
import { Activity } from './Activity.tsx'
import { ClaimBanner } from './ClaimBanner.tsx'
import { ConnectedList } from './ConnectedList.tsx'
import { Description } from './Description.tsx'
import { Plan } from './Plan.tsx'
import { Properties } from './Properties.tsx'
import { Title } from './Title.tsx'
import css from './WorkOrderPage.module.css'

interface Props {
  workOrder: LoadedWorkOrder | undefined
  projectId: string
  /** Shows the properties under the title, where no inspector stands beside. */
  withProperties: boolean
}

/** What changes its properties, among them a label or a phase that is made for it. */
const VALUE_WRITES = ['work-orders.values', 'labels.create', 'phases.create']

/** What is to be done, the plan, what it is connected to, and what people and agents did and said. */
export function WorkOrderDetail({ workOrder, projectId, withProperties }: Props) {
  return (
    <div className={css.scroll}>
      {workOrder ? (
        <article className={css.article} key={workOrder.id}>
          <Title workOrder={workOrder} projectId={projectId} />
          {withProperties && (
            <div className={css.ownProperties}>
              <Properties workOrder={workOrder} projectId={projectId} />
            </div>
          )}
          <ClaimBanner workOrder={workOrder} projectId={projectId} />
          <UnsavedValues id={workOrder.id} />
          <Description workOrder={workOrder} projectId={projectId} />
          <Plan workOrder={workOrder} projectId={projectId} />
          <ConnectedList workOrder={workOrder} projectId={projectId} />
          <Activity workOrder={workOrder} projectId={projectId} />
        </article>
      ) : (
        <DetailSkeleton />
      )}
    </div>
  )
}

function UnsavedValues({ id }: { id: string }) {
  const failed = useWrites(id).filter(({ kind, state }) => VALUE_WRITES.includes(kind) && state === 'failed')
  return failed.map((write) => <UnsavedChange key={write.id} write={write} />)
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
