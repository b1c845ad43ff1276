import { useQuery } from '@tanstack/react-query'
import { useRouteContext } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { cx } from '../../lib/cx.ts'
import { useMayWrite } from '../../lib/may-write.ts'
import { countOf } from '../../lib/numbers.ts'
import { reasonOf } from '../../lib/outbox/write.ts'
import { useShortcut } from '../../lib/shortcuts.ts'
import { showToast } from '../../lib/toasts.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/dialogs.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { IconPlugConnected, IconPlus, IconRefresh, IconTrash } from '../../ui/icons.ts'
import { Kbd } from '../../ui/Kbd.tsx'
import { MoreMenu } from '../../ui/MoreMenu.tsx'
import { Time } from '../../ui/Time.tsx'
import { PendingRows } from '../PendingRows.tsx'
import shared from '../Settings.module.css'
import { SettingsPage } from '../SettingsPage.tsx'
import { followIntegrations, integrationsQuery, type ShownIntegration } from './api.ts'
import { removeIntegration, testIntegration } from './edits.ts'
import { IntegrationDialog } from './IntegrationDialog.tsx'
import css from './Integrations.module.css'

type Asking = { act: 'new' } | { act: 'token' | 'remove'; integration: ShownIntegration }

export function IntegrationsPage() {
  const { project, session } = useRouteContext({ from: '/signed-in/p/$projectId' })
  useEffect(followIntegrations, [])
  const query = useQuery(integrationsQuery(project.id))
  const integrations = query.data
  const mayWrite = useMayWrite()
  const [asking, setAsking] = useState<Asking>()
  const done = () => setAsking(undefined)
  useShortcut('create', mayWrite ? () => setAsking({ act: 'new' }) : undefined)
  return (
    <SettingsPage
      title="Integrations"
      lead="MCP servers whose tools your automations and conversations may use. A token never leaves the server."
      actions={
        mayWrite && (
          <Button look="primary" icon={<IconPlus size={16} />} onClick={() => setAsking({ act: 'new' })}>
            New integration <Kbd keys="c" onAccent />
          </Button>
        )
      }
    >
      {integrations?.length === 0 ? (
        <EmptyState
          icon={<IconPlugConnected size={22} stroke={1.75} />}
          title="Integrations give agents tools of other programs"
          action={
            mayWrite && (
              <Button look="primary" onClick={() => setAsking({ act: 'new' })}>
                New integration
              </Button>
            )
          }
          command={`npm run -s admin -- integration add --project "${project.name}" --email you@example.org --name Tickets --url https://tickets.example.org/mcp`}
        >
          {mayWrite ? 'Each is granted to an automation by name, tool by tool.' : 'Editors and admins connect them.'}
        </EmptyState>
      ) : (
        <table className={shared.table}>
          <thead>
            <tr>
              <th>Integration</th>
              <th className={shared.wide}>Tools</th>
              <th className={shared.wide}>Granted to</th>
              <th>Health</th>
              <th>
                <span className="sr-only">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {integrations ? (
              integrations.map((one) => (
                <Row
                  key={one.id}
                  integration={one}
                  projectId={project.id}
                  isOwn={one.owner.id === session.user.id}
                  mayWrite={mayWrite}
                  onAsk={(act) => setAsking({ act, integration: one })}
                />
              ))
            ) : (
              <PendingRows query={query} />
            )}
          </tbody>
        </table>
      )}
      {asking && asking.act !== 'remove' && (
        <IntegrationDialog
          projectId={project.id}
          integration={asking.act === 'token' ? asking.integration : undefined}
          onClose={done}
        />
      )}
      {asking?.act === 'remove' && (
        <ConfirmDialog
          title={`Disconnect “${asking.integration.display_name}”?`}
          verb="Disconnect"
          onConfirm={() => removeIntegration(project.id, asking.integration)}
          onClose={done}
        >
          <p>
            Its token is deleted.
            {asking.integration.granted_to.length > 0 &&
              ` ${countOf(asking.integration.granted_to.length, 'automation')} can no longer use it: ${asking.integration.granted_to.map(({ name }) => name).join(', ')}.`}
          </p>
        </ConfirmDialog>
      )}
    </SettingsPage>
  )
}

interface RowProps {
  integration: ShownIntegration
  projectId: string
  isOwn: boolean
  mayWrite: boolean
  onAsk(act: 'token' | 'remove'): void
}

function Row({ integration, projectId, isOwn, mayWrite, onAsk }: RowProps) {
  const [busy, setBusy] = useState(false)
  const { display_name: name, tools, granted_to, owner } = integration
  const test = async () => {
    setBusy(true)
    const outcome = await testIntegration(projectId, integration)
    setBusy(false)
    if (outcome.state === 'failed') showToast({ text: reasonOf(outcome.fault), tone: 'error' })
  }
  const sign = { size: 16, stroke: 1.75 }
  return (
    <tr>
      <td>
        <div className={shared.names}>
          <span className={shared.name}>{name}</span>
          <span className={cx(shared.start, css.address)}>{integration.url ?? integration.command}</span>
          {!isOwn && <span className={shared.email}>of {owner.display_name}</span>}
        </div>
      </td>
      <td className={shared.wide}>
        <details className={css.tools}>
          <summary>{countOf(tools.length, 'tool')}</summary>
          <ul>
            {tools.map((tool) => (
              <li key={tool.name} title={tool.description}>
                {tool.name} <span className={shared.email}>{tool.read_only ? 'reads' : 'may change'}</span>
              </li>
            ))}
          </ul>
        </details>
      </td>
      <td className={cx(shared.wide, css.grants)}>
        {granted_to.length === 0 ? (
          <span className={shared.dim}>nothing</span>
        ) : (
          granted_to.map((one) => one.name).join(', ')
        )}
      </td>
      <td>
        <Health integration={integration} />
      </td>
      <td className={shared.end}>
        {mayWrite && (
          <span className={shared.actions}>
            {isOwn && (
              <Button busy={busy} aria-label={`Test ${name}`} onClick={() => void test()}>
                Test
              </Button>
            )}
            <MoreMenu
              label={`More for ${name}`}
              options={[
                ...(isOwn ? [{ value: 'token', label: 'Another token…', icon: <IconRefresh {...sign} /> }] : []),
                { value: 'remove', label: 'Disconnect…', icon: <IconTrash {...sign} />, divided: isOwn },
              ]}
              onPick={(act) => {
                onAsk(act as 'token' | 'remove')
              }}
            />
          </span>
        )}
      </td>
    </tr>
  )
}

function Health({ integration: { checked_at, fault } }: { integration: ShownIntegration }) {
  if (checked_at === null) return <span className={shared.dim}>not called yet</span>
  return (
    <div className={shared.names}>
      <span className={fault ? shared.expired : cx(shared.badge, css.good)} title={fault ?? undefined}>
        {fault ? 'Fails' : 'Answers'}
      </span>
      <span className={shared.email}>
        <Time at={checked_at} as="ago" />
      </span>
    </div>
  )
}
