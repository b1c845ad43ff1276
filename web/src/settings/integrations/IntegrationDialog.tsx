import { useState } from 'react'
import { reasonOf } from '../../lib/outbox/write.ts'
import { Button } from '../../ui/Button.tsx'
import css from '../../ui/dialogs.module.css'
import { FormDialog } from '../../ui/dialogs.tsx'
import { Field, PasswordField } from '../../ui/fields.tsx'
import { IconPlugConnected } from '../../ui/icons.ts'
import type { ShownIntegration } from './api.ts'
import { connectIntegration, reconnectIntegration } from './edits.ts'

interface Props {
  projectId: string
  /** The one that gets another token. Undefined for a new one. */
  integration: ShownIntegration | undefined
  onClose(): void
}

/** Connects an MCP server, or gives it another token. It is called first, and must answer. */
export function IntegrationDialog({ projectId, integration, onClose }: Props) {
  const [name, setName] = useState('')
  const [url, setUrl] = useState('')
  const [token, setToken] = useState('')
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const save = async () => {
    if (!integration && (!name.trim() || !url.trim())) return setFault('An integration needs a name and an address.')
    setBusy(true)
    setFault(undefined)
    const values = { display_name: name.trim(), url: url.trim(), token: token || null }
    const outcome = integration
      ? await reconnectIntegration(projectId, { integration, token })
      : await connectIntegration(projectId, values)
    setBusy(false)
    if (outcome.state === 'failed') return setFault(reasonOf(outcome.fault))
    onClose()
  }
  const plain = { autoComplete: 'off', spellCheck: false }
  return (
    <FormDialog
      title={integration ? `Another token for “${integration.display_name}”` : 'New integration'}
      lead="Your automations and conversations can use its tools, if you grant them."
      icon={<IconPlugConnected size={18} stroke={1.75} />}
      onClose={onClose}
      onSubmit={() => void save()}
      footer={
        <>
          <span className={css.grow} />
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={busy}>
            Test and connect
          </Button>
        </>
      }
    >
      {!integration && (
        <>
          <Field
            {...plain}
            label="Name"
            placeholder="Issue tracker"
            maxLength={200}
            data-autofocus
            value={name}
            onChange={setName}
          />
          <Field
            {...plain}
            label="Address of the MCP server"
            type="url"
            placeholder="https://tickets.example.org/mcp"
            maxLength={2000}
            value={url}
            onChange={setUrl}
          />
        </>
      )}
      <PasswordField
        {...plain}
        label="Token"
        value={token}
        fault={fault}
        hint="Stored encrypted, never shown again. Leave it empty if the server needs none."
        onChange={setToken}
      />
    </FormDialog>
  )
}
