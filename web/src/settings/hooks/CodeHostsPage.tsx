import { useQuery } from '@tanstack/react-query'
import { useRouteContext } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { copyText } from '../../lib/copy-text.ts'
import { untilSaved } from '../../lib/outbox/until-saved.ts'
import { useShortcut } from '../../lib/shortcuts.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/dialogs.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import {
  IconBrandGithub,
  IconBrandGitlab,
  IconCopy,
  IconGitPullRequest,
  IconPencil,
  IconPlus,
  IconRefresh,
  IconTrash,
} from '../../ui/icons.ts'
import { Kbd } from '../../ui/Kbd.tsx'
import { MoreMenu } from '../../ui/MoreMenu.tsx'
import { LastUsed } from '../LastUsed.tsx'
import { PendingRows } from '../PendingRows.tsx'
import css from '../Settings.module.css'
import { SettingsPage } from '../SettingsPage.tsx'
import { type CodeHost, codeHostsQuery, followHooks } from './api.ts'
import { CodeHostDialog, type ReadyHost } from './CodeHostDialog.tsx'
import { deleteCodeHost, rotateHostSecret } from './edits.ts'
import own from './Hooks.module.css'
import { SecretDialog } from './SecretDialog.tsx'

const LEAD =
  'GitHub and GitLab tell Slipway of pushes and pull requests. WO-12 in a commit, branch or title links them.'

export function CodeHostsPage() {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  if (project.role === 'admin') return <OwnCodeHosts projectId={project.id} />
  return (
    <SettingsPage title="Code hosts" lead={LEAD}>
      <p className={css.foot}>Admins of the project see and change code hosts.</p>
    </SettingsPage>
  )
}

type Act = 'change' | 'rotate' | 'delete'

function OwnCodeHosts({ projectId }: { projectId: string }) {
  const query = useQuery(codeHostsQuery(projectId))
  const all = query.data
  const [asking, setAsking] = useState<{ act: Act | 'new'; id?: string }>()
  const [ready, setReady] = useState<ReadyHost>()
  const chosen = all?.find(({ id }) => id === asking?.id)
  const done = () => setAsking(undefined)
  useEffect(followHooks, [])
  useShortcut('create', () => setAsking({ act: 'new' }))

  const rotate = (host: CodeHost) =>
    untilSaved(rotateHostSecret(projectId, host), `The secret of “${host.name}” was not rotated.`, (made) =>
      setReady({ host: made.code_host, secret: made.secret }),
    )
  const add = (
    <Button look="primary" icon={<IconPlus size={16} />} onClick={() => setAsking({ act: 'new' })}>
      New code host <Kbd keys="c" onAccent />
    </Button>
  )
  return (
    <SettingsPage title="Code hosts" lead={LEAD} actions={add}>
      {all?.length === 0 ? (
        <EmptyState
          icon={<IconGitPullRequest size={22} stroke={1.75} />}
          title="See the code of a work order where the work is"
          action={add}
          command={`curl -X POST ${location.origin}/v2/external-api/code_hosts \\\n  -H "X-API-Key: $KEY" -H "Content-Type: application/json" \\\n  -d '{"kind": "github", "name": "shop/checkout"}'`}
        >
          Pushes start automations. Commits and pull requests are linked to the work orders that they name.
        </EmptyState>
      ) : (
        <table className={css.table}>
          <thead>
            <tr>
              <th>Repository</th>
              <th className={css.wide}>Pull requests</th>
              <th className={css.wide}>Last heard</th>
              <th>
                <span className="sr-only">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {all?.map((host) => (
              <HostRow key={host.id} host={host} onAct={(act) => setAsking({ act, id: host.id })} />
            )) ?? <PendingRows query={query} />}
          </tbody>
        </table>
      )}
      {(asking?.act === 'new' || (asking?.act === 'change' && chosen)) && (
        <CodeHostDialog projectId={projectId} host={chosen} onReady={setReady} onClose={done} />
      )}
      {asking?.act === 'rotate' && chosen && (
        <ConfirmDialog
          title={`Rotate the secret of “${chosen.name}”?`}
          verb="Rotate"
          onConfirm={() => rotate(chosen)}
          onClose={done}
        >
          <p>The old secret stops at once. What is sent until you have entered the new one is refused.</p>
        </ConfirmDialog>
      )}
      {asking?.act === 'delete' && chosen && (
        <ConfirmDialog
          title={`Delete “${chosen.name}”?`}
          verb="Delete"
          onConfirm={() => deleteCodeHost(projectId, chosen)}
          onClose={done}
        >
          <p>Slipway no longer listens to it. What it reported about work orders stays.</p>
        </ConfirmDialog>
      )}
      {ready && (
        <SecretDialog
          title={`“${ready.host.name}” is ready`}
          lead={`Enter both in the settings of the repository on ${ready.host.kind === 'github' ? 'GitHub' : 'GitLab'}.`}
          secret={ready.secret}
          onClose={() => setReady(undefined)}
        >
          <SetUp host={ready.host} />
        </SecretDialog>
      )}
    </SettingsPage>
  )
}

function SetUp({ host: { kind, url } }: { host: CodeHost }) {
  return (
    <ol className={own.steps}>
      <li>Open Settings, Webhooks in the repository and add one.</li>
      <li>
        URL: <code>{url}</code>
      </li>
      <li>
        {kind === 'github'
          ? 'Secret: the one above. Content type: application/json.'
          : 'Secret token, or signing token: the one above.'}
      </li>
      <li>
        {kind === 'github' ? 'Events: Pushes and Pull requests.' : 'Trigger: Push events and Merge request events.'}
      </li>
    </ol>
  )
}

function HostRow({ host, onAct }: { host: CodeHost; onAct(act: Act): void }) {
  const { name, url, kind, last_received_at: heard } = host
  const Sign = kind === 'github' ? IconBrandGithub : IconBrandGitlab
  const sign = { size: 16, stroke: 1.75 }
  const copy = () => copyText(url, 'Address copied')
  const moves = [host.review_opened && 'opened: in review', host.complete_merged && 'merged: completed'].filter(Boolean)
  return (
    <tr>
      <td>
        <div className={css.person}>
          <Sign size={20} stroke={1.75} />
          <div className={own.names}>
            <span className={own.name}>{name}</span>
            <span className={own.url}>{url}</span>
          </div>
        </div>
      </td>
      <td className={css.wide}>{moves.length > 0 ? moves.join(', ') : <span className={css.dim}>only linked</span>}</td>
      <td className={css.wide}>{heard === null ? <span className={css.dim}>never</span> : <LastUsed at={heard} />}</td>
      <td className={css.end}>
        <MoreMenu
          label={`More for ${name}`}
          options={[
            { value: 'copy', label: 'Copy the address', icon: <IconCopy {...sign} /> },
            { value: 'change', label: 'Change…', icon: <IconPencil {...sign} /> },
            { value: 'rotate', label: 'Rotate the secret…', icon: <IconRefresh {...sign} /> },
            { value: 'delete', label: 'Delete…', icon: <IconTrash {...sign} />, divided: true },
          ]}
          onPick={(act) => {
            if (act === 'copy') void copy()
            else onAct(act as Act)
          }}
        />
      </td>
    </tr>
  )
}
