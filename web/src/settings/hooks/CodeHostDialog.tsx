import { useState } from 'react'
import { reasonOf } from '../../lib/outbox/write.ts'
import { Button } from '../../ui/Button.tsx'
import css from '../../ui/dialogs.module.css'
import { FormDialog } from '../../ui/dialogs.tsx'
import { Field } from '../../ui/fields.tsx'
import { IconGitPullRequest } from '../../ui/icons.ts'
import { Switch } from '../../ui/Switch.tsx'
import type { CodeHost } from './api.ts'
import { addCodeHost, changeCodeHost } from './edits.ts'
import own from './Hooks.module.css'

const KINDS = [
  { value: 'github', label: 'GitHub', about: 'pushes and pull requests' },
  { value: 'gitlab', label: 'GitLab', about: 'pushes and merge requests' },
] as const

export interface ReadyHost {
  host: CodeHost
  secret: string
}

interface Props {
  projectId: string
  /** Undefined for a new one. */
  host: CodeHost | undefined
  onReady(ready: ReadyHost): void
  onClose(): void
}

/** Which host is listened to, and what follows from it. */
export function CodeHostDialog({ projectId, host, onReady, onClose }: Props) {
  const [kind, setKind] = useState<CodeHost['kind']>(host?.kind ?? 'github')
  const [name, setName] = useState(host?.name ?? '')
  const [reviews, setReviews] = useState(host?.review_opened ?? false)
  const [completes, setCompletes] = useState(host?.complete_merged ?? false)
  const [token, setToken] = useState('')
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const save = async () => {
    if (!name.trim()) return setFault('Say which repository it is.')
    setBusy(true)
    setFault(undefined)
    const given = token.trim() ? { secret: token.trim() } : {}
    const values = { name: name.trim(), review_opened: reviews, complete_merged: completes, ...given }
    const outcome = host
      ? await changeCodeHost(projectId, { host, values })
      : await addCodeHost(projectId, { kind, ...values })
    setBusy(false)
    if (outcome.state === 'failed') return setFault(reasonOf(outcome.fault))
    onClose()
    const made = outcome.state === 'saved' && outcome.answer
    if (made) onReady({ host: made.code_host, secret: made.secret })
  }
  return (
    <FormDialog
      title={host ? `Change “${host.name}”` : 'New code host'}
      lead="Commits and pull requests that name a work order, such as WO-12, appear there."
      icon={<IconGitPullRequest size={18} stroke={1.75} />}
      onClose={onClose}
      onSubmit={() => void save()}
      footer={
        <>
          <span className={css.grow} />
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={busy}>
            {host ? 'Save' : 'Create'}
          </Button>
        </>
      }
    >
      {!host && (
        <fieldset className={css.choice}>
          <legend className={css.label}>Host</legend>
          <div className={css.choices}>
            {KINDS.map(({ value, label, about }) => (
              <label key={value} className={css.option} data-checked={value === kind || undefined}>
                <input
                  type="radio"
                  name="kind"
                  className={css.radio}
                  checked={value === kind}
                  data-autofocus={value === kind || undefined}
                  onChange={() => setKind(value)}
                />
                <strong>{label}</strong>
                <span>{about}</span>
              </label>
            ))}
          </div>
        </fieldset>
      )}
      <Field
        label="Name"
        placeholder="shop/checkout"
        maxLength={200}
        autoComplete="off"
        value={name}
        fault={fault}
        onChange={setName}
      />
      {kind === 'gitlab' && (
        <Field
          label="Signing token of GitLab (optional)"
          placeholder="whsec_…"
          maxLength={500}
          autoComplete="off"
          value={token}
          hint="If GitLab made one for the webhook. Otherwise you get a secret to enter there."
          onChange={setToken}
        />
      )}
      <fieldset className={own.choice}>
        <legend className={own.legend}>Work orders that a pull request names</legend>
        <Switch className={own.switch} checked={reviews} onChange={setReviews}>
          Move to “In review” when it is opened
        </Switch>
        <Switch className={own.switch} checked={completes} onChange={setCompletes}>
          Complete when it is merged into the main branch
        </Switch>
      </fieldset>
    </FormDialog>
  )
}
