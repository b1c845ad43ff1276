import { useQuery } from '@tanstack/react-query'
import { Link, useRouteContext, useSearch } from '@tanstack/react-router'
import { countsQuery } from '../../lib/counts.ts'
import { countOf } from '../../lib/numbers.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { IconChecks, IconFilter, IconInbox } from '../../ui/icons.ts'
import css from './EmptyInbox.module.css'

const SIZE = { size: 22, stroke: 1.75 }

/** Says why the list is empty: nothing was reported, all is processed, or the filters hide it. */
export function EmptyInbox() {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const { status, sort: _, ...filters } = useSearch({ from: '/signed-in/p/$projectId/inbox' })
  const counts = useQuery(countsQuery(project.id)).data
  const at = { params: { projectId: project.id }, className: css.link } as const
  if (counts?.feedback_items === 0)
    return (
      <EmptyState
        icon={<IconInbox {...SIZE} />}
        title="No feedback yet"
        action={
          <Link {...at} to="/p/$projectId/feedback/connect">
            Connect your product
          </Link>
        }
        command={`curl ${location.origin}/v2/reporting-api/feedback \\\n  -H "X-API-Key: $REPORTING_KEY" -H "Content-Type: application/json" \\\n  -d '{"end_user_email": "customer@example.org", "content": "The total is off by a cent."}'`}
      >
        What people report is collected here, and grouped into themes.
      </EmptyState>
    )
  if (Object.keys(filters).length > 0)
    return (
      <EmptyState
        icon={<IconFilter {...SIZE} />}
        title="No report matches"
        action={
          <Link {...at} to="/p/$projectId/feedback" search={status ? { status } : {}}>
            Clear the filters
          </Link>
        }
      >
        Other reports are hidden by the filters.
      </EmptyState>
    )
  return (
    <EmptyState
      icon={<IconChecks {...SIZE} />}
      title={status === 'processed' ? 'Nothing is processed yet' : 'Everything is processed'}
      action={
        <Link {...at} to="/p/$projectId/feedback" search={{ status: 'all' }}>
          Show everything
        </Link>
      }
    >
      {counts ? `${countOf(counts.feedback_items, 'report')} so far.` : ''}
    </EmptyState>
  )
}
