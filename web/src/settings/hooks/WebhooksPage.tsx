import { useQuery } from '@tanstack/react-query'
import { useRouteContext } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { untilSaved } from '../../lib/outbox/until-saved.ts'
import { useShortcut } from '../../lib/shortcuts.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/dialogs.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { IconAlertTriangle, IconBook, IconPlus, IconWebhook } from '../../ui/icons.ts'
import { Kbd } from '../../ui/Kbd.tsx'
import { PendingRows } from '../PendingRows.tsx'
import css from '../Settings.module.css'
import { SettingsPage } from '../SettingsPage.tsx'
import { followHooks, type Webhook, webhooksQuery } from './api.ts'
import { Deliveries } from './Deliveries.tsx'
import { deleteWebhook, rotateWebhookSecret, switchWebhook, testWebhook } from './edits.ts'
import own from './Hooks.module.css'
import { SecretDialog } from './SecretDialog.tsx'
import { WebhookDialog } from './WebhookDialog.tsx'
import { type WebhookAct, WebhookRow } from './WebhookRow.tsx'

const LEAD = 'Slipway tells other programs what happens here, in order and until they answer.'

export function WebhooksPage() {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  if (project.role === 'admin') return <OwnWebhooks projectId={project.id} />
  return (
    <SettingsPage title="Webhooks" lead={LEAD}>
      <p className={css.foot}>Admins of the project see and change webhooks.</p>
    </SettingsPage>
  )
}

function OwnWebhooks({ projectId }: { projectId: string }) {
  const query = useQuery(webhooksQuery(projectId))
  const all = query.data
  const [asking, setAsking] = useState<{ act: WebhookAct | 'new'; id?: string }>()
  const [secret, setSecret] = useState<{ name: string; secret: string }>()
  const chosen = all?.find(({ id }) => id === asking?.id)
  const done = () => setAsking(undefined)
  useEffect(followHooks, [])
  useShortcut('create', () => setAsking({ act: 'new' }))

  const test = (webhook: Webhook) =>
    untilSaved(testWebhook(projectId, webhook), `No test event was sent to “${webhook.name}”.`, () =>
      setAsking({ act: 'log', id: webhook.id }),
    )
  const rotate = (webhook: Webhook) =>
    untilSaved(
      rotateWebhookSecret(projectId, webhook),
      `The secret of “${webhook.name}” was not rotated.`,
      ({ secret }) => setSecret({ name: webhook.name, secret }),
    )
  const act = (webhook: Webhook, what: WebhookAct) => {
    if (what === 'test') void test(webhook)
    else if (what === 'switch') void switchWebhook(projectId, webhook)
    else setAsking({ act: what, id: webhook.id })
  }
  const add = (
    <Button look="primary" icon={<IconPlus size={16} />} onClick={() => setAsking({ act: 'new' })}>
      New webhook <Kbd keys="c" onAccent />
    </Button>
  )
  return (
    <SettingsPage
      title="Webhooks"
      lead={LEAD}
      actions={
        <>
          <a className={css.reference} href="/docs/webhooks">
            <IconBook size={16} stroke={1.75} />
            How to verify them
          </a>
          {add}
        </>
      }
    >
      {all
        ?.filter(({ disabled_reason }) => disabled_reason !== null)
        .map((webhook) => (
          <div key={webhook.id} className={own.notice} role="alert">
            <IconAlertTriangle size={17} stroke={1.75} />
            <span className={own.grow}>
              <strong>{webhook.name}</strong> was disabled. {webhook.disabled_reason}
            </span>
            <Button onClick={() => void switchWebhook(projectId, webhook)}>Enable</Button>
          </div>
        ))}
      {all?.length === 0 ? (
        <EmptyState
          icon={<IconWebhook size={22} stroke={1.75} />}
          title="Webhooks tell other programs what happens"
          action={add}
          command={`curl -X POST ${location.origin}/v2/external-api/webhooks \\\n  -H "X-API-Key: $KEY" -H "Content-Type: application/json" \\\n  -d '{"name": "Board", "url": "https://hooks.example.org/slipway"}'`}
        >
          Each event is posted to a URL of yours, signed, and again until it is accepted.
        </EmptyState>
      ) : (
        <table className={css.table}>
          <thead>
            <tr>
              <th>Webhook</th>
              <th className={css.wide}>Events</th>
              <th className={css.wide}>State</th>
              <th>
                <span className="sr-only">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {all?.map((webhook) => (
              <WebhookRow key={webhook.id} webhook={webhook} onAct={(what) => act(webhook, what)} />
            )) ?? <PendingRows query={query} />}
          </tbody>
        </table>
      )}
      {(asking?.act === 'new' || (asking?.act === 'change' && chosen)) && (
        <WebhookDialog projectId={projectId} webhook={chosen} onSecret={setSecret} onClose={done} />
      )}
      {asking?.act === 'log' && chosen && <Deliveries projectId={projectId} webhook={chosen} onClose={done} />}
      {asking?.act === 'rotate' && chosen && (
        <ConfirmDialog
          title={`Rotate the secret of “${chosen.name}”?`}
          verb="Rotate"
          onConfirm={() => rotate(chosen)}
          onClose={done}
        >
          <p>You get a new secret. For 24 hours the old one signs, too, so that the receiver can change over.</p>
        </ConfirmDialog>
      )}
      {asking?.act === 'delete' && chosen && (
        <ConfirmDialog
          title={`Delete “${chosen.name}”?`}
          verb="Delete"
          onConfirm={() => deleteWebhook(projectId, chosen)}
          onClose={done}
        >
          <p>Nothing more is sent to it, and its deliveries are forgotten.</p>
        </ConfirmDialog>
      )}
      {secret && (
        <SecretDialog
          title={`The secret of “${secret.name}”`}
          lead="The receiver checks with it that an event comes from here."
          secret={secret.secret}
          onClose={() => setSecret(undefined)}
        />
      )}
    </SettingsPage>
  )
}
