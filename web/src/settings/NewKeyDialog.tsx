import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { keysQuery } from '../keys/api.ts'
import { addKey } from '../keys/edits.ts'
import { cx } from '../lib/cx.ts'
import { reasonOf } from '../lib/outbox/write.ts'
import type { Project } from '../lib/session.ts'
import { dayOf, daysFromNow } from '../lib/time.ts'
import { Button } from '../ui/Button.tsx'
import css from '../ui/dialogs.module.css'
import { FormDialog, NotCopied, Secret, useCloseOnce } from '../ui/dialogs.tsx'
import { Field } from '../ui/fields.tsx'
import { IconKey } from '../ui/icons.ts'
import { Select } from '../ui/Select.tsx'
import { ROLES, type Role, roleName } from './api.ts'

const LIFETIMES = ['30', '90', '365', 'never']
const LOOK_EVERY_MS = 2_000

export interface ReadyKey {
  id: string
  name: string
  key: string
}

interface Props {
  projectId: string
  /** The role of the person, which is the most that the key can have. */
  myRole: Role
  onReady(made: ReadyKey): void
  onClose(): void
}

const AS_OWNER = 'owner'

export function NewKeyDialog({ projectId, myRole, onReady, onClose }: Props) {
  const [name, setName] = useState('')
  const [days, setDays] = useState('90')
  const [role, setRole] = useState<Role | typeof AS_OWNER>(AS_OWNER)
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const lower = ROLES.slice(
    0,
    ROLES.findIndex(({ value }) => value === myRole),
  )
  const create = async () => {
    if (!name.trim()) return setFault('Say what the key is for.')
    setBusy(true)
    setFault(undefined)
    const expires_at = days === 'never' ? null : daysFromNow(Number(days))
    const wanted = { name: name.trim(), kind: 'external' as const, expires_at }
    const limit = role === AS_OWNER ? {} : { role }
    const outcome = await addKey(projectId, { ...wanted, ...limit })
    if (outcome.state === 'saved') return onReady({ ...outcome.answer, name: name.trim() })
    if (outcome.state === 'failed') setFault(reasonOf(outcome.fault))
    setBusy(false)
  }
  return (
    <FormDialog
      title="New key"
      lead="It acts as you, in this project only."
      icon={<IconKey size={18} stroke={1.75} />}
      onClose={onClose}
      onSubmit={() => void create()}
      footer={
        <>
          <span className={css.grow} />
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={busy}>
            Create key
          </Button>
        </>
      }
    >
      <Field
        label="Name"
        placeholder="Release bot"
        maxLength={200}
        autoComplete="off"
        data-autofocus
        value={name}
        fault={fault}
        onChange={setName}
      />
      <p className={css.label}>Role</p>
      <Select
        label="Role"
        value={role}
        options={[
          { value: AS_OWNER, label: `Same as mine (${roleName(myRole)})` },
          ...[...lower].reverse().map(({ value, label, does }) => ({ value, label: `${does} (${label})` })),
        ]}
        className={css.full}
        onPick={(picked) => setRole(picked as Role | typeof AS_OWNER)}
      />
      <p className={cx(css.label, css.next)}>Expires</p>
      <Select
        label="Expires"
        value={days}
        options={LIFETIMES.map((value) => ({
          value,
          label: value === 'never' ? 'never' : `in ${value} days, ${dayOf(daysFromNow(Number(value)))}`,
        }))}
        className={css.full}
        onPick={setDays}
      />
    </FormDialog>
  )
}

interface ReadyProps {
  ready: ReadyKey
  project: Project
  myId: string
  onClose(): void
}

/** Shows the key this once, and turns green with its first request. */
export function ReadyKeyDialog({ ready, project, myId, onClose }: ReadyProps) {
  const { close, isAsking, markCopied } = useCloseOnce(onClose)
  const key = useQuery({
    ...keysQuery(project.id),
    refetchInterval: LOOK_EVERY_MS,
    select: (all) => all.find(({ id }) => id === ready.id),
  }).data
  const expiry = key?.expires_at ? `expires ${dayOf(key.expires_at)}` : 'never expires'
  const owner = key?.acts_as.id === myId ? 'you' : key?.acts_as.display_name
  const isUsed = key !== undefined && key.last_used_at !== null
  return (
    <FormDialog
      title={`“${ready.name}” is ready`}
      lead={key && `${key.role ? roleName(key.role) : 'Nobody'} in ${project.name}, acts as ${owner}, ${expiry}`}
      icon={<IconKey size={18} stroke={1.75} />}
      tone="done"
      width={568}
      onClose={close}
      onSubmit={close}
      footer={
        <>
          <span className={css.grow}>
            Also possible: <code>Authorization: Bearer</code>
          </span>
          <Button type="submit">I have stored it</Button>
        </>
      }
    >
      <Secret
        label="The key"
        text={ready.key}
        tone="amber"
        note="Shown once. After you close this, it can only be rotated."
        onCopied={markCopied}
      />
      {isAsking && <NotCopied what="key" />}
      <pre className={css.code}>
        {`curl "${location.origin}/v2/external-api/work_orders" \\\n  -H "X-API-Key: ${ready.key.slice(0, 13)}…"`}
      </pre>
      <p className={css.waiting} role="status">
        <span className={cx(css.pulse, isUsed && css.arrived)} />
        {isUsed ? 'The first request has arrived.' : 'Waiting for the first request with this key…'}
      </p>
    </FormDialog>
  )
}
