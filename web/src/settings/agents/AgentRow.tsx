import { Link } from '@tanstack/react-router'
import { cx } from '../../lib/cx.ts'
import { formatCount } from '../../lib/numbers.ts'
import { useTicking } from '../../lib/ticks.ts'
import { ActorMark } from '../../people/ActorMark.tsx'
import { Avatar } from '../../people/Avatar.tsx'
import { Button } from '../../ui/Button.tsx'
import { Sparkline } from '../../ui/charts.tsx'
import { IconLock } from '../../ui/icons.ts'
import { StatusRing } from '../../ui/StatusRing.tsx'
import { Time } from '../../ui/Time.tsx'
import { LastUsed } from '../LastUsed.tsx'
import shared from '../Settings.module.css'
import css from './Agents.module.css'
import type { ConnectedAgent } from './api.ts'

interface Props {
  agent: ConnectedAgent
  projectId: string
  myId: string
  isNew: boolean
  mayRevoke: boolean
  onRevoke(): void
}

export function AgentRow({ agent, projectId, myId, isNew, mayRevoke, onRevoke }: Props) {
  const { id, name, type, acts_as, ended_at } = agent
  const owner = acts_as.id === myId ? 'You' : acts_as.display_name
  const actor = { type: type === 'app' ? ('agent' as const) : ('key' as const), id, name, on_behalf_of: null }
  return (
    <tr className={cx(ended_at !== null && shared.revoked, isNew && css.new)}>
      <td>
        <div className={css.agent}>
          <ActorMark actor={actor} size={24} />
          <div className={shared.names}>
            <span className={cx(shared.keyName, css.name)}>{name}</span>
            {type === 'key' && agent.start ? (
              <span className={shared.start}>{agent.start}…</span>
            ) : (
              <span className={css.since} title={agent.destination ?? undefined}>
                since <Time at={agent.created_at} as="day" />
              </span>
            )}
            <span className={shared.narrow}>
              {owner} · {agent.scope === 'read' ? 'only reads' : 'reads and writes'}
            </span>
            <span className={shared.narrow}>
              <Claims agent={agent} projectId={projectId} />
            </span>
          </div>
        </div>
      </td>
      <td className={shared.wide}>
        <span className={shared.owner}>
          <Avatar person={{ id: acts_as.id, name: acts_as.display_name, email: '' }} size={20} />
          {owner}
        </span>
      </td>
      <td className={shared.wide}>
        {ended_at === null ? (
          <span className={cx(shared.badge, agent.scope === 'read' ? shared.viewer : shared.editor)}>
            {agent.scope === 'read' ? 'Only reads' : 'Reads and writes'}
          </span>
        ) : (
          <span className={cx(shared.badge, shared.viewer)}>
            Ended <Time at={ended_at} as="day" />
          </span>
        )}
      </td>
      <td>
        <LastCall agent={agent} />
      </td>
      <td className={shared.wide}>
        <Calls agent={agent} />
      </td>
      <td className={shared.wide}>
        <Claims agent={agent} projectId={projectId} />
      </td>
      <td className={shared.end}>
        {ended_at === null && mayRevoke && (
          <Button look="quiet" className={shared.revoke} aria-label={`Revoke ${name}`} onClick={onRevoke}>
            Revoke
          </Button>
        )}
      </td>
    </tr>
  )
}

function LastCall({ agent: { last_call, last_used_at } }: { agent: ConnectedAgent }) {
  const at = last_call?.at ?? last_used_at
  if (at === null) return <span className={shared.dim}>never</span>
  return (
    <div className={shared.names}>
      <LastUsed at={at} />
      {last_call && <span className={cx(shared.start, css.call)}>{last_call.name}</span>}
    </div>
  )
}

function Calls({ agent: { calls, name } }: { agent: ConnectedAgent }) {
  const values = calls.map((one) => ({ name: one.day, count: one.calls }))
  return (
    <span className={css.calls}>
      <Sparkline label={`Calls a day of ${name}`} values={values} isFilled />
      <strong>{formatCount(values.at(-1)?.count ?? 0)}</strong>
    </span>
  )
}

function Claims({ agent: { claims, ended_at }, projectId }: { agent: ConnectedAgent; projectId: string }) {
  if (ended_at !== null) return null
  if (claims.length === 0) return <span className={shared.dim}>nothing</span>
  return (
    <span className={css.claims}>
      {claims.map((claim) => (
        <Link
          key={claim.work_order_id}
          className={css.claim}
          to="/p/$projectId/work-orders/$number"
          params={{ projectId, number: String(claim.work_order_number) }}
          title={claim.title}
        >
          <StatusRing status="in_progress" size={14} /> WO-{claim.work_order_number}
          <Left until={claim.expires_at} />
        </Link>
      ))}
    </span>
  )
}

const SHORT_MIN = 2

function Left({ until }: { until: string }) {
  const minutes = useTicking(() => Math.max(0, Math.ceil((Date.parse(until) - Date.now()) / 60_000)))
  return (
    <span className={cx(css.left, minutes < SHORT_MIN && css.short)}>
      <IconLock size={12} stroke={2} />
      {minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`}
    </span>
  )
}
