import { useQuery } from '@tanstack/react-query'
import { Link, useRouteContext } from '@tanstack/react-router'
import { IconFileText, IconTopologyStar3 } from '../../ui/icons.ts'
import { StatusRing } from '../../ui/StatusRing.tsx'
import { rowsQuery } from '../../work-orders/api.ts'
import { codeOf } from '../../work-orders/work-order.ts'
import { treeQuery } from '../api.ts'
import type { Kind } from '../kind.ts'
import css from './Connected.module.css'

interface Props {
  kind: Kind
  document: { id: string; connectedContext: { resourceType: string; resourceId: string }[] }
}

/** What belongs to the document: the other half of its feature, other documents, and the work orders that build it. */
export function Connected({ kind, document }: Props) {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const requirements = useQuery(treeQuery(project.id, 'requirements')).data?.nodes ?? []
  const blueprints = useQuery(treeQuery(project.id, 'blueprints')).data?.nodes ?? []
  const workOrders = useQuery(rowsQuery(project.id)).data ?? []
  const linked = new Set(document.connectedContext.map(({ resourceId }) => resourceId))
  const pair =
    kind === 'requirements'
      ? blueprints.find(({ feature_id }) => feature_id === document.id)?.id
      : blueprints.find(({ id }) => id === document.id)?.feature_id
  if (pair) linked.add(pair)
  const found = {
    requirements: requirements.filter(({ id }) => linked.has(id)),
    blueprints: blueprints.filter(({ id }) => linked.has(id)),
    workOrders: workOrders.filter(({ id }) => linked.has(id)),
  }
  if (found.requirements.length + found.blueprints.length + found.workOrders.length === 0) return null
  const documents = (of: Kind, Sign: typeof IconFileText) =>
    found[of].map(({ id, title }) => (
      <Link
        key={id}
        to={`/p/$projectId/${of}/$documentId`}
        params={{ projectId: project.id, documentId: id }}
        className={css.entry}
      >
        <Sign size={15} stroke={1.75} />
        <span>{title}</span>
      </Link>
    ))
  return (
    <nav aria-label="Connected">
      <h2 className={css.head}>Connected</h2>
      {documents('requirements', IconFileText)}
      {documents('blueprints', IconTopologyStar3)}
      {found.workOrders.map((row) => (
        <Link
          key={row.id}
          to="/p/$projectId/work-orders/$number"
          params={{ projectId: project.id, number: String(row.work_order_number) }}
          className={css.entry}
          title={row.title}
        >
          <StatusRing status={row.status} />
          <span>{codeOf(row)}</span>
        </Link>
      ))}
    </nav>
  )
}
