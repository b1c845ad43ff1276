import type { ApiKey } from '../keys/api.ts'
import { cx } from '../lib/cx.ts'
import { daysUntil } from '../lib/time.ts'
import { Avatar } from '../people/Avatar.tsx'
import { Button } from '../ui/Button.tsx'
import { IconRefresh } from '../ui/icons.ts'
import { Time } from '../ui/Time.tsx'
import { roleName } from './api.ts'
import { LastUsed } from './LastUsed.tsx'
import css from './Settings.module.css'

interface Props {
  apiKey: ApiKey
  onAsk(verb: 'Rotate' | 'Revoke'): void
}

export function KeyRow({ apiKey: key, onAsk }: Props) {
  const { id, display_name: name } = key.acts_as
  const used = key.last_used_at
  return (
    <tr className={cx(key.revoked_at !== null && css.revoked)}>
      <td>
        <div className={css.names}>
          <span className={css.keyName}>{key.name}</span>
          {key.start && <span className={css.start}>{key.start}…</span>}
          <span className={css.narrow}>
            <RoleBadge apiKey={key} />
          </span>
        </div>
      </td>
      <td className={css.wide}>
        <RoleBadge apiKey={key} />
      </td>
      <td className={css.wide}>
        <span className={css.owner}>
          <Avatar person={{ id, name, email: '' }} size={20} />
          {name}
        </span>
      </td>
      <td>
        <Expiry apiKey={key} />
      </td>
      <td className={css.wide}>{used === null ? <span className={css.dim}>never</span> : <LastUsed at={used} />}</td>
      <td className={css.end}>
        {key.revoked_at === null && (
          <span className={css.actions}>
            <Button icon={<IconRefresh size={15} stroke={1.75} />} onClick={() => onAsk('Rotate')}>
              Rotate
            </Button>
            <Button look="quiet" className={css.revoke} onClick={() => onAsk('Revoke')}>
              Revoke
            </Button>
          </span>
        )}
      </td>
    </tr>
  )
}

function RoleBadge({ apiKey: { role, max_role, acts_as } }: { apiKey: ApiKey }) {
  if (role === null) return null
  const hint = max_role ? `At most ${roleName(max_role)}, whatever ${acts_as.display_name} may do` : undefined
  return (
    <span className={cx(css.badge, css[role])} title={hint}>
      {roleName(role)}
    </span>
  )
}

const SOON_DAYS = 14

function Expiry({ apiKey: { revoked_at, expires_at, is_expired } }: { apiKey: ApiKey }) {
  if (revoked_at !== null)
    return (
      <span className={cx(css.badge, css.viewer)}>
        revoked <Time at={revoked_at} as="day" />
      </span>
    )
  if (expires_at === null) return <span className={css.dim}>no expiry</span>
  if (is_expired)
    return (
      <span className={css.expired}>
        expired <Time at={expires_at} as="day" />
      </span>
    )
  const days = daysUntil(expires_at)
  if (days > SOON_DAYS) return <Time at={expires_at} as="day" />
  return <span className={cx(css.badge, css.soon)}>{days === 1 ? 'in 1 day' : `in ${days} days`}</span>
}
