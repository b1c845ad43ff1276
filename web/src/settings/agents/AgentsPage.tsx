import { useQuery } from '@tanstack/react-query'
import { useRouteContext } from '@tanstack/react-router'
import { useState } from 'react'
import { useMayWrite } from '../../lib/may-write.ts'
import { ConfirmDialog } from '../../ui/dialogs.tsx'
import { IconBook } from '../../ui/icons.ts'
import { PendingRows } from '../PendingRows.tsx'
import shared from '../Settings.module.css'
import { SettingsPage } from '../SettingsPage.tsx'
import { AgentRow } from './AgentRow.tsx'
import css from './Agents.module.css'
import { agentsQuery, type ConnectedAgent, LOOK_EVERY_MS } from './api.ts'
import { ConnectCard } from './ConnectCard.tsx'
import { revokeAgent } from './edits.ts'
import { useFirstCall } from './use-first-call.ts'

export function AgentsPage() {
  const { project, session } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const query = useQuery({ ...agentsQuery(project.id), refetchInterval: LOOK_EVERY_MS })
  const agents = query.data
  const mayWrite = useMayWrite()
  const firstCall = useFirstCall(agents, session.user.id)
  const [asking, setAsking] = useState<ConnectedAgent>()
  const connected = agents?.filter(({ ended_at }) => ended_at === null).length
  return (
    <SettingsPage
      title="Coding agents"
      lead="An agent works as you, in one project, and never holds more than your role. It claims work orders, so no two do the same."
      actions={
        <a className={shared.reference} href="/docs/mcp">
          <IconBook size={16} stroke={1.75} />
          All clients
        </a>
      }
    >
      <ConnectCard projectId={project.id} mayWrite={mayWrite} firstCall={firstCall} />
      <div className={css.tableHead}>
        <h2 className={shared.subtitle}>
          Connected {connected !== undefined && <span className={shared.count}>{connected}</span>}
        </h2>
        <span className={shared.wide}>Calls a day: 14 days, and the number of today</span>
      </div>
      {agents?.length === 0 ? (
        <p className={css.none}>
          No agent is connected. It appears here with its first call, and what it does is recorded under its name.
        </p>
      ) : (
        <table className={shared.table}>
          <thead>
            <tr>
              <th>Agent or key</th>
              <th className={shared.wide}>Acts as</th>
              <th className={shared.wide}>Scope</th>
              <th>Last call</th>
              <th className={shared.wide}>Calls a day</th>
              <th className={shared.wide}>Claimed now</th>
              <th>
                <span className="sr-only">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {agents ? (
              agents.map((agent) => (
                <AgentRow
                  key={agent.id}
                  agent={agent}
                  projectId={project.id}
                  myId={session.user.id}
                  isNew={agent.id === firstCall?.id}
                  mayRevoke={mayWrite || agent.type === 'app'}
                  onRevoke={() => setAsking(agent)}
                />
              ))
            ) : (
              <PendingRows query={query} />
            )}
          </tbody>
        </table>
      )}
      <p className={shared.foot}>Revoke ends access with the next request. So does leaving the project.</p>
      {asking && (
        <ConfirmDialog
          title={`Revoke “${asking.name}”?`}
          verb="Revoke"
          onConfirm={() => revokeAgent(project.id, asking)}
          onClose={() => setAsking(undefined)}
        >
          <p>
            It is refused from its next request on.{' '}
            {asking.type === 'app' ? 'To use it again, connect it again.' : 'The key stops for good.'}
            {asking.claims.length > 0 &&
              ` It gives back ${asking.claims.map((one) => `WO-${one.work_order_number}`).join(', ')}, which others can take then.`}
          </p>
        </ConfirmDialog>
      )}
    </SettingsPage>
  )
}
