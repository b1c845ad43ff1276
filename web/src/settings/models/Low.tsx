import { Link } from '@tanstack/react-router'
import { costOf } from '../../agents/cost.ts'
import { IconAlertTriangle } from '../../ui/icons.ts'
import type { ModelUsage } from './api.ts'
import css from './Models.module.css'

const LOW_FROM = 0.8

/** Automations that have used most of their own budget. Their owners are notified then. */
export const Low = ({ usage, projectId }: { usage: ModelUsage; projectId: string }) =>
  usage.automations.map(({ automation_id, name, cost, cost_per_month: limit }) =>
    automation_id === null || name === null || limit === null || cost < limit * LOW_FROM ? null : (
      <p key={automation_id} className={css.low}>
        <IconAlertTriangle size={16} stroke={1.75} />
        <span>
          <strong>
            {name} has used {Math.floor((cost / limit) * 100)} % of its {costOf(limit)}.
          </strong>{' '}
          Its owner was told in a conversation.
        </span>
        <Link to="/p/$projectId/automations/$automationId" params={{ projectId, automationId: automation_id }}>
          Change its budget
        </Link>
      </p>
    ),
  )
