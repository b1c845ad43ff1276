import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { fullTimeOf } from '../lib/time.ts'
import { Button } from '../ui/Button.tsx'
import { ConfirmDialog } from '../ui/dialogs.tsx'
import { IconDevices } from '../ui/icons.ts'
import { Time } from '../ui/Time.tsx'
import css from './Account.module.css'
import { ownSessionsQuery } from './api.ts'
import { deviceOf } from './device.ts'
import { endSession, endSessions } from './edits.ts'

export function OwnSessions() {
  const sessions = useQuery(ownSessionsQuery).data
  const [isAsking, setAsking] = useState(false)
  return (
    <section className={css.section} aria-labelledby="sessions">
      <h2 id="sessions" className={css.heading}>
        Sessions
      </h2>
      <p className={css.text}>Where you are signed in.</p>
      <ul className={css.list}>
        {sessions?.map((session) => (
          <li key={session.id} className={css.session}>
            <IconDevices size={18} stroke={1.75} />
            <div className={css.grow}>
              <span className={css.device} title={session.user_agent ?? undefined}>
                {deviceOf(session.user_agent)}
              </span>
              <p className={css.text} title={`Signed in ${fullTimeOf(session.created_at)}`}>
                {session.ip_address ?? 'unknown address'} · used <Time at={session.last_used_at} as="ago" />
              </p>
            </div>
            {session.is_this_one ? (
              <span className={css.here}>This one</span>
            ) : (
              <Button look="quiet" onClick={() => void endSession('', session)}>
                Sign out
              </Button>
            )}
          </li>
        ))}
      </ul>
      <Button onClick={() => setAsking(true)}>Sign out everywhere</Button>
      {isAsking && (
        <ConfirmDialog
          title="Sign out everywhere?"
          verb="Sign out everywhere"
          onConfirm={() => endSessions('', null)}
          onClose={() => setAsking(false)}
        >
          <p>All your sessions end at once, this one too. Your keys, connected apps and automations go on.</p>
        </ConfirmDialog>
      )}
    </section>
  )
}
