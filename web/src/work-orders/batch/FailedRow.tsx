import type { Change } from '@slipway/sdk'
import * as api from '@slipway/sdk/resources'
import { queryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { activityQuery } from '../../activity/api.ts'
import { Happening } from '../../activity/Happening.tsx'
import { callOf } from '../../lib/client.ts'
import { cx } from '../../lib/cx.ts'
import { Avatar } from '../../people/Avatar.tsx'
import { useActorName } from '../../people/actor-name.ts'
import { IconTrash, IconX } from '../../ui/icons.ts'
import { StatusRing } from '../../ui/StatusRing.tsx'
import { Time } from '../../ui/Time.tsx'
import { describeChange } from '../happenings.tsx'
import { codeOf, type WorkOrderRow } from '../work-order.ts'
import css from './BatchResult.module.css'

const MOST_DELETIONS = 100
const MOST_SHOWN = 5

/** Who deleted which work order last, by its id. Nothing else says why one is gone. */
export const deletionsQuery = (projectId: string, at: string) =>
  queryOptions({
    queryKey: [projectId, 'work-order', 'deletions', at],
    queryFn: async ({ signal }) => {
      const query = { kind: 'work_order.deleted', limit: MOST_DELETIONS }
      const { items } = await api.changes(callOf(projectId)).list(query, { signal })
      return new Map(items.map((one) => [one.subject_id, one]))
    },
  })

interface Props {
  row: WorkOrderRow
  projectId: string
  message: string
  /** If somebody deleted it meanwhile. */
  deletion: Change | undefined
  onRetry(): void
  onDismiss(): void
  onOpen(): void
}

/** A work order that was not changed: why, and what can be done about it. */
export function FailedRow({ row, projectId, message, deletion, onRetry, onDismiss, onOpen }: Props) {
  const [hasActivity, setHasActivity] = useState(false)
  return (
    <div className={css.failed}>
      <IconX size={15} className={css.cross} />
      <span className={css.code}>{codeOf(row)}</span>
      <div className={css.grow}>
        <div className={cx(css.name, deletion && css.gone)}>{row.title}</div>
        {deletion ? <Deleted change={deletion} /> : <Reason message={message} />}
        <div className={css.actions}>
          {deletion ? (
            <>
              <button type="button" onClick={onDismiss}>
                Take off the list
              </button>
              <button type="button" aria-expanded={hasActivity} onClick={() => setHasActivity(!hasActivity)}>
                Activity
              </button>
            </>
          ) : (
            <>
              <button type="button" onClick={onRetry}>
                Retry
              </button>
              <Link
                to="/p/$projectId/work-orders/$number"
                params={{ projectId, number: String(row.work_order_number) }}
                onClick={onOpen}
              >
                Open
              </Link>
            </>
          )}
        </div>
        {hasActivity && <LastActivity projectId={projectId} id={row.id} />}
      </div>
      {deletion ? <IconTrash size={16} stroke={1.75} /> : <StatusRing status={row.status} />}
      <Avatar person={row.assignee} />
    </div>
  )
}

/** What is wrong stands out from what to do about it. */
function Reason({ message }: { message: string }) {
  const [, fault = message, advice] = /^(.+?[.!?])\s+(.+)$/s.exec(message) ?? []
  return (
    <p className={css.why}>
      <strong>{fault}</strong> {advice}
    </p>
  )
}

function Deleted({ change }: { change: Change }) {
  const { name } = useActorName(change.actor)
  return (
    <p className={css.why}>
      <strong>
        {name} deleted it <Time at={change.created_at} as="when" />.
      </strong>{' '}
      Nothing is left to change, so Retry leaves it out.
    </p>
  )
}

/** The page of a deleted work order is gone, but not the record of what happened to it. */
function LastActivity({ projectId, id }: { projectId: string; id: string }) {
  const { data, isPending } = useInfiniteQuery(activityQuery(projectId, id))
  const shown = data?.pages[0]?.items.filter((one) => sayOf(one) !== undefined).slice(0, MOST_SHOWN)
  return (
    <ol className={css.activity} aria-label="Activity" aria-busy={isPending}>
      {shown?.map((one) => (
        <li key={one.id}>
          <Happening actor={one.actor} at={one.created_at} words={sayOf(one)} />
        </li>
      ))}
    </ol>
  )
}

const sayOf = (change: Change) => (change.kind === 'work_order.deleted' ? 'deleted it' : describeChange(change))
