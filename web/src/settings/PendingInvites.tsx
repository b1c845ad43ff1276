import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { cx } from '../lib/cx.ts'
import { daysUntil } from '../lib/time.ts'
import { Button } from '../ui/Button.tsx'
import { ConfirmDialog } from '../ui/dialogs.tsx'
import { IconLink, IconMail } from '../ui/icons.ts'
import { Time } from '../ui/Time.tsx'
import { type Invitation, invitationsQuery, roleName } from './api.ts'
import { revokeInvitation } from './edits.ts'
import css from './Settings.module.css'

/** The links that someone can still use. */
export function PendingInvites({ projectId, myId }: { projectId: string; myId: string }) {
  const invitations = useQuery(invitationsQuery(projectId)).data
  const [revoking, setRevoking] = useState<Invitation>()
  if (!invitations || invitations.length === 0) return null
  return (
    <section aria-labelledby="pending">
      <h2 id="pending" className={css.subtitle}>
        Pending invites <span className={css.count}>{invitations.length}</span>
      </h2>
      <ul className={css.invites}>
        {invitations.map((invitation) => (
          <li key={invitation.id} className={css.invite}>
            <span className={cx(css.sign, invitation.email === null && css.open)}>
              {invitation.email === null ? <IconLink size={15} stroke={1.75} /> : <IconMail size={15} stroke={1.75} />}
            </span>
            <div className={css.names}>
              <span className={css.name}>{invitation.email ?? 'Anyone with the link'}</span>
              <span className={css.email}>
                made by {invitation.invited_by.id === myId ? 'you' : invitation.invited_by.display_name}
                {invitation.max_uses > 1 && `, ${invitation.uses} of ${invitation.max_uses} used`}
              </span>
            </div>
            <span className={cx(css.badge, css[invitation.role])}>{roleName(invitation.role)}</span>
            <Until iso={invitation.expires_at} />
            <Button look="quiet" className={css.revoke} onClick={() => setRevoking(invitation)}>
              Revoke
            </Button>
          </li>
        ))}
      </ul>
      {revoking && (
        <ConfirmDialog
          title="Revoke this invite link?"
          verb="Revoke"
          onConfirm={() => revokeInvitation(projectId, revoking)}
          onClose={() => setRevoking(undefined)}
        >
          <p>
            {revoking.email ? `The link for ${revoking.email}` : 'The link'} stops working at once. People who have used
            it stay members.
          </p>
        </ConfirmDialog>
      )}
    </section>
  )
}

function Until({ iso }: { iso: string }) {
  const days = daysUntil(iso)
  if (days > 1)
    return (
      <span className={css.until}>
        until <Time at={iso} as="day" />
      </span>
    )
  return <span className={cx(css.until, css.soon)}>{days === 1 ? 'expires tomorrow' : 'expires today'}</span>
}
