import { useState } from 'react'
import { reasonOf } from '../../lib/outbox/write.ts'
import { showToast } from '../../lib/toasts.ts'
import { Button } from '../../ui/Button.tsx'
import css from '../../ui/dialogs.module.css'
import { FormDialog } from '../../ui/dialogs.tsx'
import { Field, PasswordField } from '../../ui/fields.tsx'
import { IconPlugConnected } from '../../ui/icons.ts'
import { connectIntegration } from '../edits.ts'

/** Connects an MCP server. It is called first, so one that does not answer is not connected. */
export function ConnectDialog({ projectId, onClose }: { projectId: string; onClose(): void }) {
  const [name, setName] = useState('')
  const [url, setUrl] = useState('')
  const [token, setToken] = useState('')
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const connect = async () => {
    if (!name.trim() || !url.trim()) return setFault('It needs a name and the address of the server.')
    setBusy(true)
    setFault(undefined)
    const body = { display_name: name.trim(), url: url.trim(), token: token || null }
    const outcome = await connectIntegration(projectId, body)
    setBusy(false)
    if (outcome.state === 'failed') return setFault(reasonOf(outcome.fault))
    if (outcome.state === 'saved') showToast({ text: `${name.trim()} is connected` })
    onClose()
  }
  return (
    <FormDialog
      title="Connect an MCP server"
      lead="Agents that you grant it to can use its tools, with your token."
      icon={<IconPlugConnected size={18} stroke={1.75} />}
      onClose={onClose}
      onSubmit={() => void connect()}
      footer={
        <>
          <span className={css.grow} />
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={busy}>
            Connect
          </Button>
        </>
      }
    >
      <Field label="Name" placeholder="Issue tracker" maxLength={200} value={name} onChange={setName} />
      <Field
        label="Address"
        placeholder="https://tracker.example.org/mcp"
        maxLength={2_000}
        value={url}
        fault={fault}
        onChange={setUrl}
      />
      <PasswordField label="Token, if it needs one" autoComplete="off" value={token} onChange={setToken} />
    </FormDialog>
  )
}
