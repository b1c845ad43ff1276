import { useState } from 'react'
import { reasonOf } from '../../lib/outbox/write.ts'
import { Button } from '../../ui/Button.tsx'
import css from '../../ui/dialogs.module.css'
import { FormDialog } from '../../ui/dialogs.tsx'
import { Field } from '../../ui/fields.tsx'
import { IconWebhook } from '../../ui/icons.ts'
import { EVENT_GROUPS, type Webhook } from './api.ts'
import { addWebhook, changeWebhook } from './edits.ts'
import own from './Hooks.module.css'

interface Props {
  projectId: string
  /** Undefined for a new one. */
  webhook: Webhook | undefined
  onSecret(secret: { name: string; secret: string }): void
  onClose(): void
}

/** Where events are sent, and which. */
export function WebhookDialog({ projectId, webhook, onSecret, onClose }: Props) {
  const [name, setName] = useState(webhook?.name ?? '')
  const [url, setUrl] = useState(webhook?.url ?? '')
  const [kinds, setKinds] = useState(webhook?.event_kinds ?? null)
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const save = async () => {
    if (!name.trim() || !url.trim()) return setFault('A webhook needs a name and a URL.')
    if (kinds?.length === 0) return setFault('Choose at least one kind of event, or all.')
    setBusy(true)
    setFault(undefined)
    const values = { name: name.trim(), url: url.trim(), event_kinds: kinds }
    const outcome = webhook ? await changeWebhook(projectId, { webhook, values }) : await addWebhook(projectId, values)
    setBusy(false)
    if (outcome.state === 'failed') return setFault(reasonOf(outcome.fault))
    onClose()
    const made = outcome.state === 'saved' && outcome.answer
    if (made) onSecret({ name: made.webhook.name, secret: made.secret })
  }
  return (
    <FormDialog
      title={webhook ? `Change “${webhook.name}”` : 'New webhook'}
      lead="Slipway posts what happens to a URL, signed as a Standard Webhook."
      icon={<IconWebhook size={18} stroke={1.75} />}
      onClose={onClose}
      onSubmit={() => void save()}
      footer={
        <>
          <span className={css.grow} />
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={busy}>
            {webhook ? 'Save' : 'Create webhook'}
          </Button>
        </>
      }
    >
      <Field
        label="Name"
        placeholder="Release board"
        maxLength={200}
        autoComplete="off"
        data-autofocus
        value={name}
        onChange={setName}
      />
      <Field
        label="URL"
        type="url"
        placeholder="https://hooks.example.org/slipway"
        maxLength={2000}
        autoComplete="off"
        value={url}
        fault={fault}
        onChange={setUrl}
      />
      <Kinds kinds={kinds} onChange={setKinds} />
    </FormDialog>
  )
}

function Kinds({ kinds, onChange }: { kinds: string[] | null; onChange(kinds: string[] | null): void }) {
  const isAll = kinds === null
  // What was chosen by the API and has no line of its own stays.
  const options = [
    ...EVENT_GROUPS,
    ...(kinds ?? [])
      .filter((kind) => !EVENT_GROUPS.some(({ value }) => value === kind))
      .map((value) => ({ value, label: value })),
  ]
  const toggle = (value: string) =>
    onChange((kinds ?? []).includes(value) ? kinds!.filter((one) => one !== value) : [...(kinds ?? []), value])
  return (
    <fieldset className={own.choice}>
      <legend className={own.legend}>Events</legend>
      <label className={own.check}>
        <input type="checkbox" checked={isAll} onChange={() => onChange(isAll ? ['work_order.*'] : null)} />
        All events
      </label>
      {!isAll && (
        <div className={own.kinds}>
          {options.map(({ value, label }) => (
            <label key={value} className={own.check}>
              <input type="checkbox" checked={kinds.includes(value)} onChange={() => toggle(value)} />
              {label}
            </label>
          ))}
        </div>
      )}
    </fieldset>
  )
}
