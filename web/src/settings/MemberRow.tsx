import { cx } from '../lib/cx.ts'
import { Avatar } from '../people/Avatar.tsx'
import { IconBolt, IconDevices, IconKey, IconTrash } from '../ui/icons.ts'
import { MoreMenu } from '../ui/MoreMenu.tsx'
import { Select } from '../ui/Select.tsx'
import { type Member, ROLES, type Role, roleName } from './api.ts'
import { LastUsed } from './LastUsed.tsx'
import css from './Settings.module.css'

interface Props {
  member: Member
  isMe: boolean
  isAdmin: boolean
  onRole(role: Role): void
  onRemove(): void
}

const LAST_ADMIN = 'A project needs an admin, and this is the last one. Make someone else an admin first.'

export function MemberRow({ member, isMe, isAdmin, onRole, onRemove }: Props) {
  const { user, role, last_active_at: active } = member
  const name = user.display_name
  return (
    <tr>
      <td>
        <div className={css.person}>
          <Avatar person={{ id: user.id, name, email: user.email }} size={28} />
          <div className={css.names}>
            <span className={css.name}>
              {name} {isMe && <span className={css.you}>You</span>}
            </span>
            <span className={css.email}>{user.email}</span>
          </div>
        </div>
      </td>
      <td>
        {isAdmin ? (
          <Select
            label={`Role of ${name}`}
            value={role}
            options={ROLES}
            className={cx(css.role, role === 'admin' && css.admin)}
            fixed={member.is_last_admin ? LAST_ADMIN : undefined}
            onPick={(picked) => onRole(picked as Role)}
          />
        ) : (
          roleName(role)
        )}
      </td>
      <td className={css.wide}>
        {active === null ? <span className={css.dim}>not signed in</span> : <LastUsed at={active} />}
      </td>
      <td className={css.wide}>
        <span className={css.sessions}>
          <IconDevices size={16} stroke={1.75} />
          {member.sessions}
        </span>
      </td>
      <td className={css.wide}>
        <ActsFor member={member} />
      </td>
      <td className={css.end}>
        {isAdmin && !member.is_last_admin && (
          <MoreMenu
            label={`More for ${name}`}
            options={[
              {
                value: 'remove',
                label: isMe ? 'Leave the project…' : 'Remove from the project…',
                icon: <IconTrash size={16} stroke={1.75} />,
              },
            ]}
            onPick={() => {
              onRemove()
            }}
          />
        )}
      </td>
    </tr>
  )
}

/** Square signs, as everywhere for what is not a person. */
function ActsFor({ member: { automations, keys, expired_keys } }: { member: Member }) {
  if (automations + keys + expired_keys === 0) return <span className={css.dim}>nothing</span>
  return (
    <span className={css.acts}>
      {automations > 0 && (
        <span className={css.act} title="Automations that are switched on">
          <span className={css.bolt}>
            <IconBolt size={12} stroke={2} />
          </span>
          {automations}
        </span>
      )}
      {keys > 0 && (
        <span className={css.act}>
          <span className={css.key}>
            <IconKey size={12} stroke={1.75} />
          </span>
          {keys} {keys === 1 ? 'key' : 'keys'}
        </span>
      )}
      {expired_keys > 0 && <span className={css.expired}>{expired_keys} expired</span>}
    </span>
  )
}
