import type { ConnectedApp } from '@slipway/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { fullTimeOf } from '../lib/time.ts'
import { Button } from '../ui/Button.tsx'
import { ConfirmDialog } from '../ui/dialogs.tsx'
import { IconRobot } from '../ui/icons.ts'
import { Time } from '../ui/Time.tsx'
import css from './Account.module.css'
import { connectedAppsQuery } from './api.ts'
import { disconnectApp } from './edits.ts'

/** Programs that act as the person. */
export function ConnectedApps() {
  const apps = useQuery(connectedAppsQuery).data
  const [asking, setAsking] = useState<ConnectedApp>()
  return (
    <section className={css.section} aria-labelledby="apps">
      <h2 id="apps" className={css.heading}>
        Connected apps
      </h2>
      <p className={css.text}>
        Agents that work as you. Connect one by giving it the address <code>{`${location.origin}/mcp`}</code>;{' '}
        <a className={css.link} href="/docs/mcp">
          how that is done
        </a>
        .
      </p>
      {apps && apps.length > 0 && (
        <ul className={css.list}>
          {apps.map((app) => (
            <li key={app.id} className={css.session}>
              <IconRobot size={18} stroke={1.75} />
              <div className={css.grow}>
                <span className={css.device} title={app.destination}>
                  {app.name}
                </span>
                <p className={css.text} title={`Connected ${fullTimeOf(app.created_at)}`}>
                  {app.project.name} · {app.scope === 'read' ? 'only reads' : 'reads and writes'} · used{' '}
                  <Time at={app.last_used_at} as="ago" />
                </p>
              </div>
              <Button look="quiet" aria-label={`Revoke ${app.name}`} onClick={() => setAsking(app)}>
                Revoke
              </Button>
            </li>
          ))}
        </ul>
      )}
      {asking && (
        <ConfirmDialog
          title={`Revoke ${asking.name}?`}
          verb="Revoke"
          onConfirm={() => disconnectApp('', asking)}
          onClose={() => setAsking(undefined)}
        >
          <p>It stops at its next request. To use it again, connect it again.</p>
        </ConfirmDialog>
      )}
    </section>
  )
}
