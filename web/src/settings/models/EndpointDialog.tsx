import { useState } from 'react'
import { reasonOf } from '../../lib/outbox/write.ts'
import { queryClient } from '../../lib/query-client.ts'
import { Button } from '../../ui/Button.tsx'
import dialog from '../../ui/dialogs.module.css'
import { FormDialog } from '../../ui/dialogs.tsx'
import { Field, PasswordField } from '../../ui/fields.tsx'
import { IconPlugConnected } from '../../ui/icons.ts'
import { modelQuery, type ProjectModel } from './api.ts'
import { setModel, shownOf, testModel } from './edits.ts'
import css from './Models.module.css'
import { numberIn } from './numbers.ts'

interface Props {
  projectId: string
  model: ProjectModel
  onClose(): void
}

const nameOf = ({ source, model, base_url, operators_model }: ProjectModel) =>
  source === 'own'
    ? `“${model}” at ${base_url}`
    : source === 'none'
      ? 'no model'
      : `“${operators_model ?? 'Recommended'}”`

/** A server of the team's own. It must answer before it is used. */
export function EndpointDialog({ projectId, model, onClose }: Props) {
  const [url, setUrl] = useState(model.base_url ?? '')
  const [name, setName] = useState(model.model ?? '')
  const [key, setKey] = useState('')
  const [input, setInput] = useState(String(model.input_price ?? ''))
  const [output, setOutput] = useState(String(model.output_price ?? ''))
  const [base, setBase] = useState(() => shownOf(model))
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const isKeyKept = model.has_key && url.trim().replace(/\/+$/, '') === model.base_url
  const save = async () => {
    const prices = [numberIn(input), numberIn(output)] as const
    if (prices.includes(undefined)) return setFault('A price is a number, such as 0.5, or nothing.')
    setBusy(true)
    setFault(undefined)
    const values = {
      source: 'own' as const,
      base_url: url,
      model: name,
      ...(key !== '' && { key }),
      input_price: prices[0] ?? null,
      output_price: prices[1] ?? null,
    }
    const tested = await testModel(projectId, values)
    const outcome = tested.state === 'saved' ? await setModel(projectId, { ...values, expected: base }) : tested
    setBusy(false)
    if (outcome.state === 'failed') {
      if (outcome.fault.status !== 412) return setFault(reasonOf(outcome.fault))
      // What they see now is what they replace by saving again.
      const theirs = queryClient.getQueryData(modelQuery(projectId).queryKey) ?? model
      setBase(shownOf(theirs))
      return setFault(`Another admin has chosen ${nameOf(theirs)} in the meantime. Save again to replace it.`)
    }
    onClose()
  }
  const plain = { autoComplete: 'off', spellCheck: false }
  return (
    <FormDialog
      title="Your own endpoint"
      lead="What agents read is sent there: documents, work orders and feedback of this project."
      icon={<IconPlugConnected size={18} stroke={1.75} />}
      onClose={onClose}
      onSubmit={() => void save()}
      footer={
        <>
          <span className={dialog.grow} />
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={busy}>
            Test and use
          </Button>
        </>
      }
    >
      <Field
        {...plain}
        label="Address"
        type="url"
        placeholder="https://models.example.org/v1"
        data-autofocus
        value={url}
        fault={fault}
        onChange={setUrl}
      />
      <Field {...plain} label="Model" placeholder="qwen3-coder" maxLength={200} value={name} onChange={setName} />
      <PasswordField
        {...plain}
        label="Key"
        value={key}
        hint={
          isKeyKept
            ? 'A key is stored. Leave this empty to keep it.'
            : 'Stored encrypted, never shown again. Leave it empty if the server needs none.'
        }
        onChange={setKey}
      />
      <div className={css.pair}>
        <Field
          {...plain}
          label="Price of a million input tokens"
          inputMode="decimal"
          value={input}
          onChange={setInput}
        />
        <Field {...plain} label="and of output tokens" inputMode="decimal" value={output} onChange={setOutput} />
      </div>
    </FormDialog>
  )
}
