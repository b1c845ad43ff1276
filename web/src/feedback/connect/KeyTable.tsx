import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { revokeKey, rotateKey } from '../../keys/edits.ts'
import { cx } from '../../lib/cx.ts'
import { useMayWrite } from '../../lib/may-write.ts'
import { formatCount } from '../../lib/numbers.ts'
import { untilSaved } from '../../lib/outbox/until-saved.ts'
import { fullTimeOf } from '../../lib/time.ts'
import { Avatar } from '../../people/Avatar.tsx'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/dialogs.tsx'
import { IconRefresh } from '../../ui/icons.ts'
import { Time } from '../../ui/Time.tsx'
import { type ApiKey, readyKey, type SourceReports, sourceReportsQuery } from './api.ts'
import page from './Connect.module.css'
import { OriginsDialog } from './KeyDialogs.tsx'
import css from './KeyTable.module.css'

type Verb = 'Rotate' | 'Revoke'

/** The reporting keys, with where they may be used and when they were. */
export function KeyTable({ keys, projectId }: { keys: ApiKey[]; projectId: string }) {
  const [asking, setAsking] = useState<{ verb: Verb; key: ApiKey }>()
  const [editing, setEditing] = useState<ApiKey>()
  const reports = useQuery(sourceReportsQuery(projectId, keys)).data
  const rotate = (key: ApiKey) =>
    untilSaved(rotateKey(projectId, key), `The key “${key.name}” was not rotated.`, (made) =>
      readyKey.set({ ...made, name: key.name, projectId }),
    )
  return (
    <>
      <h2 className={css.heading}>Reporting keys</h2>
      <table className={css.keys}>
        <thead>
          <tr>
            <th>Name</th>
            <th className={css.wide}>Key</th>
            <th>Allowed origins</th>
            <th className={css.wide}>
              <span className="sr-only">Made by</span>
            </th>
            <th>Last used</th>
            <th className={css.count}>Reports in 30 days</th>
            <th>
              <span className="sr-only">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <KeyRow
              key={key.id}
              apiKey={key}
              reports={reports && (reports.find(({ name }) => name === key.name) ?? null)}
              onAsk={(verb) => setAsking({ verb, key })}
              onEdit={() => setEditing(key)}
            />
          ))}
        </tbody>
      </table>
      {editing && <OriginsDialog projectId={projectId} apiKey={editing} onClose={() => setEditing(undefined)} />}
      {asking && (
        <ConfirmDialog
          title={`${asking.verb} “${asking.key.name}”?`}
          verb={asking.verb}
          onConfirm={() => (asking.verb === 'Rotate' ? rotate(asking.key) : revokeKey(projectId, asking.key))}
          onClose={() => setAsking(undefined)}
        >
          <p>
            {asking.verb === 'Rotate'
              ? 'You get a new key, and the old one stops at once. Every page and app that uses it needs the new one.'
              : 'The key stops at once, for good. Reports that are sent with it are refused from then on.'}
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}

interface RowProps {
  apiKey: ApiKey
  /** Null if none came through it, undefined while they are counted. */
  reports: SourceReports | null | undefined
  onAsk(verb: Verb): void
  onEdit(): void
}

function KeyRow({ apiKey: key, reports, onAsk, onEdit }: RowProps) {
  const mayWrite = useMayWrite()
  const isOn = key.revoked_at === null
  const { id, display_name: name } = key.acts_as
  return (
    <tr className={cx(!isOn && css.revoked)}>
      <td className={css.name}>{key.name}</td>
      <td className={cx(css.wide, css.start)}>{key.start ? `${key.start}…` : ''}</td>
      <td>
        {mayWrite && isOn ? (
          <button type="button" className={css.origins} onClick={onEdit}>
            <span className="sr-only">Change the origins of {key.name}: </span>
            {originsOf(key)}
          </button>
        ) : (
          originsOf(key)
        )}
      </td>
      <td className={css.wide}>
        <Avatar person={{ id, name, email: '' }} size={20} />
      </td>
      <td>
        {key.last_used_at ? <Time at={key.last_used_at} as="ago" /> : <span className={page.dim}>never used</span>}
      </td>
      <td className={css.count}>
        {reports && (
          <span title={`The last one came on ${fullTimeOf(reports.last_report_at)}`}>
            {formatCount(reports.recent_count)}
            <span className={css.unit}> {reports.recent_count === 1 ? 'report' : 'reports'} in 30 days</span>
          </span>
        )}
        {reports === null && <span className={page.dim}>none yet</span>}
      </td>
      <td className={css.end}>
        {!isOn ? (
          <span className={css.badge}>Revoked</span>
        ) : (
          mayWrite && (
            <span className={css.actions}>
              <Button icon={<IconRefresh size={15} stroke={1.75} />} onClick={() => onAsk('Rotate')}>
                Rotate
              </Button>
              <Button look="quiet" className={css.revoke} onClick={() => onAsk('Revoke')}>
                Revoke
              </Button>
            </span>
          )
        )}
      </td>
    </tr>
  )
}

const originsOf = ({ allowed_origins: origins }: ApiKey) => {
  if (!origins || origins.length === 0) return 'every origin'
  const first = origins[0]!.replace(/^https?:\/\//, '')
  return origins.length > 1 ? `${first} +${origins.length - 1}` : first
}
