import { useState } from 'react'
import { reasonOf } from '../lib/outbox/write.ts'
import { dayOf, daysFromNow } from '../lib/time.ts'
import { Button } from '../ui/Button.tsx'
import css from '../ui/dialogs.module.css'
import { FormDialog, NotCopied, Secret, useCloseOnce } from '../ui/dialogs.tsx'
import { Field } from '../ui/fields.tsx'
import { IconUserPlus } from '../ui/icons.ts'
import { Select } from '../ui/Select.tsx'
import { type Invitation, ROLES, type Role, roleName } from './api.ts'
import { addInvitation, revokeInvitation } from './edits.ts'

const DAYS = [1, 7, 30]
const USES = [1, 3, 10, 50]

interface Props {
  projectId: string
  onClose(): void
}

/** Makes a link that can be sent any way one likes, and shows it once. */
export function InviteDialog({ projectId, onClose }: Props) {
  const [made, setMade] = useState<{ invitation: Invitation; url: string }>()
  return made ? (
    <Made {...made} projectId={projectId} onClose={onClose} />
  ) : (
    <Form projectId={projectId} onMade={setMade} onClose={onClose} />
  )
}

const HEAD = { title: 'Invite link', icon: <IconUserPlus size={18} stroke={1.75} /> }

function Form({ projectId, onMade, onClose }: Props & { onMade(made: { invitation: Invitation; url: string }): void }) {
  const [role, setRole] = useState<Role>('editor')
  const [email, setEmail] = useState('')
  const [days, setDays] = useState(7)
  const [uses, setUses] = useState(1)
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const address = email.trim()
  const create = async () => {
    setBusy(true)
    setFault(undefined)
    const wanted = { role, expires_in_days: days, max_uses: address ? 1 : uses, ...(address && { email: address }) }
    const outcome = await addInvitation(projectId, wanted)
    if (outcome.state === 'saved') return onMade(outcome.answer)
    if (outcome.state === 'failed') setFault(reasonOf(outcome.fault))
    setBusy(false)
  }
  return (
    <FormDialog
      {...HEAD}
      lead="Works without e-mail: send it any way you like."
      onClose={onClose}
      onSubmit={() => void create()}
      footer={
        <>
          <span className={css.grow} />
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={busy}>
            Create link
          </Button>
        </>
      }
    >
      <RoleChoice role={role} onChange={setRole} />
      <div className={css.pair}>
        <div>
          <p className={css.label}>Expires</p>
          <Select
            label="Expires"
            value={String(days)}
            options={DAYS.map((count) => ({
              value: String(count),
              label: `in ${count} ${count === 1 ? 'day' : 'days'}, ${dayOf(daysFromNow(count))}`,
            }))}
            className={css.full}
            onPick={(picked) => setDays(Number(picked))}
          />
        </div>
        <div>
          <p className={css.label}>Can be used</p>
          <Select
            label="Can be used"
            value={address ? '1' : String(uses)}
            options={USES.map((count) => ({
              value: String(count),
              label: count === 1 ? 'by 1 person' : `by ${count} people`,
            }))}
            className={css.full}
            fixed={address ? 'A link for one address can be used by one person.' : undefined}
            onPick={(picked) => setUses(Number(picked))}
          />
        </div>
      </div>
      <Field
        label="Only for this e-mail address (optional)"
        type="email"
        autoComplete="off"
        placeholder="Anyone with the link"
        value={email}
        fault={fault}
        onChange={setEmail}
      />
    </FormDialog>
  )
}

function RoleChoice({ role, onChange }: { role: Role; onChange(role: Role): void }) {
  return (
    <fieldset className={css.choice}>
      <legend className={css.label}>Role</legend>
      <div className={css.choices}>
        {ROLES.map(({ value, label, may }) => (
          <label key={value} className={css.option} data-checked={value === role || undefined}>
            <input
              type="radio"
              name="role"
              className={css.radio}
              checked={value === role}
              data-autofocus={value === role || undefined}
              onChange={() => onChange(value)}
            />
            <strong>{label}</strong>
            <span>{may}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

function Made({ invitation, url, projectId, onClose }: Props & { invitation: Invitation; url: string }) {
  const { close, isAsking, markCopied } = useCloseOnce(onClose)
  const revoke = async () => {
    const { state } = await revokeInvitation(projectId, invitation)
    if (state === 'saved') onClose()
  }
  const who = invitation.email ?? (invitation.max_uses === 1 ? 'one person' : `${invitation.max_uses} people`)
  return (
    <FormDialog
      {...HEAD}
      lead={`${roleName(invitation.role)}, for ${who}, until ${dayOf(invitation.expires_at)}.`}
      onClose={close}
      onSubmit={close}
      footer={
        <>
          <span className={css.grow} />
          <Button look="quiet" onClick={() => void revoke()}>
            Revoke
          </Button>
          <Button type="submit">Done</Button>
        </>
      }
    >
      <Secret
        label="Invite link"
        text={url}
        tone="green"
        note="Shown once; revoke it under Pending invites."
        onCopied={markCopied}
      />
      {isAsking && <NotCopied what="link" />}
    </FormDialog>
  )
}
