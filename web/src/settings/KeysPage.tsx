import { useQuery } from '@tanstack/react-query'
import { useRouteContext } from '@tanstack/react-router'
import { useState } from 'react'
import { type ApiKey, keysQuery } from '../keys/api.ts'
import { revokeKey, rotateKey } from '../keys/edits.ts'
import { useMayWrite } from '../lib/may-write.ts'
import { untilSaved } from '../lib/outbox/until-saved.ts'
import { useShortcut } from '../lib/shortcuts.ts'
import { Button } from '../ui/Button.tsx'
import { ConfirmDialog } from '../ui/dialogs.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { IconBook, IconKey, IconPlus } from '../ui/icons.ts'
import { Kbd } from '../ui/Kbd.tsx'
import { KeyRow } from './KeyRow.tsx'
import { NewKeyDialog, type ReadyKey, ReadyKeyDialog } from './NewKeyDialog.tsx'
import { PendingRows } from './PendingRows.tsx'
import css from './Settings.module.css'
import { SettingsPage } from './SettingsPage.tsx'

export function KeysPage() {
  const { project, session } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const query = useQuery(keysQuery(project.id))
  const keys = query.data?.filter(({ kind }) => kind === 'external')
  const [making, setMaking] = useState(false)
  const [ready, setReady] = useState<ReadyKey>()
  const [asking, setAsking] = useState<{ verb: 'Rotate' | 'Revoke'; key: ApiKey }>()
  const mayMake = useMayWrite()
  useShortcut('create', mayMake ? () => setMaking(true) : undefined)

  const takesOver = asking !== undefined && asking.key.acts_as.id !== session.user.id
  const revoke = (key: ApiKey) => revokeKey(project.id, key)
  const rotate = (key: ApiKey) =>
    untilSaved(rotateKey(project.id, key), `The key “${key.name}” was not rotated.`, (made) =>
      setReady({ ...made, name: key.name }),
    )
  return (
    <SettingsPage
      title="API keys"
      lead="A key acts as the person who made it, inside this project only. Slipway stores a hash, never the key."
      actions={
        <>
          <a className={css.reference} href="/docs">
            <IconBook size={16} stroke={1.75} />
            API reference
          </a>
          {mayMake && (
            <Button look="primary" icon={<IconPlus size={16} />} onClick={() => setMaking(true)}>
              New key <Kbd keys="c" onAccent />
            </Button>
          )}
        </>
      }
    >
      {keys?.length === 0 ? (
        <EmptyState
          icon={<IconKey size={22} stroke={1.75} />}
          title="Keys let scripts and agents work here"
          action={
            mayMake && (
              <Button look="primary" onClick={() => setMaking(true)}>
                New key
              </Button>
            )
          }
          command={`npm run -s admin -- key add --kind external --project "${project.name}" --email you@example.org`}
        >
          {mayMake
            ? 'A key holds your role or a lower one, and stops when you leave.'
            : 'Editors and admins make keys.'}
        </EmptyState>
      ) : (
        <table className={css.table}>
          <thead>
            <tr>
              <th>Name</th>
              <th className={css.wide}>Role</th>
              <th className={css.wide}>Acts as</th>
              <th>Expires</th>
              <th className={css.wide}>Last used</th>
              <th>
                <span className="sr-only">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {keys ? (
              keys.map((key) => <KeyRow key={key.id} apiKey={key} onAsk={(verb) => setAsking({ verb, key })} />)
            ) : (
              <PendingRows query={query} />
            )}
          </tbody>
        </table>
      )}
      {making && (
        <NewKeyDialog
          projectId={project.id}
          myRole={project.role}
          onReady={(made) => {
            setMaking(false)
            setReady(made)
          }}
          onClose={() => setMaking(false)}
        />
      )}
      {ready && (
        <ReadyKeyDialog ready={ready} project={project} myId={session.user.id} onClose={() => setReady(undefined)} />
      )}
      {asking && (
        <ConfirmDialog
          title={`${asking.verb} “${asking.key.name}”?`}
          verb={asking.verb}
          onConfirm={() => (asking.verb === 'Rotate' ? rotate(asking.key) : revoke(asking.key))}
          onClose={() => setAsking(undefined)}
        >
          <p>
            {asking.verb === 'Rotate'
              ? `You get a new key${takesOver ? ` that acts as you, because this one acts as ${asking.key.acts_as.display_name}` : ''}, and the old one stops at once. Everything that uses it needs the new one.`
              : 'The key stops at once, for good. Everything that uses it is refused from then on.'}
          </p>
        </ConfirmDialog>
      )}
    </SettingsPage>
  )
}
