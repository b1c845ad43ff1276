import { useState } from 'react'
import { addKey, setOrigins } from '../../keys/edits.ts'
import { reasonOf } from '../../lib/outbox/write.ts'
import { Button } from '../../ui/Button.tsx'
import css from '../../ui/dialogs.module.css'
import { FormDialog } from '../../ui/dialogs.tsx'
import { Field } from '../../ui/fields.tsx'
import { IconKey } from '../../ui/icons.ts'
import { type ApiKey, type ReadyKey, readyKey } from './api.ts'

const listed = (text: string) => text.split(/[\s,]+/).filter((one) => one !== '')
const HINT = 'Separated by spaces. Left empty, pages of every origin can use it.'

interface NewProps {
  projectId: string
  onClose(): void
}

export function NewKeyDialog({ projectId, onClose }: NewProps) {
  const [name, setName] = useState('')
  const [origins, setText] = useState('')
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<{ field: 'name' | 'origins'; text: string }>()
  const create = async () => {
    if (!name.trim()) return setFault({ field: 'name', text: 'Say where it is used, such as “Web shop”.' })
    setBusy(true)
    setFault(undefined)
    const allowed = listed(origins)
    const body = { name: name.trim(), allowed_origins: allowed.length > 0 ? allowed : null }
    const outcome = await addKey(projectId, { ...body, kind: 'reporting' })
    setBusy(false)
    if (outcome.state === 'failed') {
      const field = outcome.fault.named?.pointer.startsWith('/allowed_origins') ? 'origins' : 'name'
      return setFault({ field, text: reasonOf(outcome.fault) })
    }
    if (outcome.state !== 'saved') return
    readyKey.set({ ...outcome.answer, name: body.name, projectId } satisfies ReadyKey & { projectId: string })
    onClose()
  }
  return (
    <FormDialog
      title="New reporting key"
      lead="It sends feedback into this project and can do nothing else."
      icon={<IconKey size={18} stroke={1.75} />}
      onClose={onClose}
      onSubmit={() => void create()}
      footer={<Footer verb="Create key" busy={busy} onClose={onClose} />}
    >
      <Field
        label="Name"
        placeholder="Web shop"
        maxLength={200}
        autoComplete="off"
        data-autofocus
        value={name}
        fault={fault?.field === 'name' ? fault.text : undefined}
        onChange={setName}
      />
      <Field
        label="Allowed origins (optional)"
        placeholder="https://shop.example.org"
        autoComplete="off"
        value={origins}
        hint={HINT}
        fault={fault?.field === 'origins' ? fault.text : undefined}
        onChange={setText}
      />
    </FormDialog>
  )
}

interface OriginsProps {
  projectId: string
  apiKey: ApiKey
  onClose(): void
}

export function OriginsDialog({ projectId, apiKey: key, onClose }: OriginsProps) {
  const [text, setText] = useState(key.allowed_origins?.join(' ') ?? '')
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const save = async () => {
    setBusy(true)
    const origins = listed(text)
    const outcome = await setOrigins(projectId, { key, origins: origins.length > 0 ? origins : null })
    setBusy(false)
    if (outcome.state === 'failed') return setFault(reasonOf(outcome.fault))
    onClose()
  }
  return (
    <FormDialog
      title={`Allowed origins of “${key.name}”`}
      lead="Which pages may use the key. Servers and apps are not affected."
      icon={<IconKey size={18} stroke={1.75} />}
      onClose={onClose}
      onSubmit={() => void save()}
      footer={<Footer verb="Save" busy={busy} onClose={onClose} />}
    >
      <Field
        label="Origins"
        placeholder="https://shop.example.org"
        autoComplete="off"
        data-autofocus
        value={text}
        hint={HINT}
        fault={fault}
        onChange={setText}
      />
    </FormDialog>
  )
}

const Footer = ({ verb, busy, onClose }: { verb: string; busy: boolean; onClose(): void }) => (
  <>
    <span className={css.grow} />
    <Button onClick={onClose}>Cancel</Button>
    <Button type="submit" look="primary" busy={busy}>
      {verb}
    </Button>
  </>
)
