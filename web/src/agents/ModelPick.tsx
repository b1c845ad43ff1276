import { useState } from 'react'
import { cx } from '../lib/cx.ts'
import { Button } from '../ui/Button.tsx'
import { FormDialog } from '../ui/dialogs.tsx'
import { Field } from '../ui/fields.tsx'
import { IconCpu, IconSelector } from '../ui/icons.ts'
import { MenuButton } from '../ui/Menu.tsx'
import css from './ModelPick.module.css'

interface Props {
  /** Null for the one that is recommended. */
  value: string | null
  /** The one that is recommended now. */
  recommended: string | null | undefined
  /** Those that can be chosen without typing their name. */
  known: readonly string[]
  /** As wide as the other fields of a form. */
  isField?: boolean
  disabled?: boolean
  onPick(model: string | null): void
}

const RECOMMENDED = 'recommended'
const OTHER = 'other'
const NAMED = 'model '

/** Which model an agent answers with: the recommended one, or one by name. */
export function ModelPick({ value, recommended, known, isField = false, disabled, onPick }: Props) {
  const [isNaming, setNaming] = useState(false)
  const now = recommended ? `, now ${recommended}` : ''
  const shown = value ?? (isField ? `Recommended${now}` : 'Recommended')
  const names = [...new Set([...known, ...(value === null ? [] : [value])])]
  const pick = (picked: string) => {
    if (picked === OTHER) setNaming(true)
    else onPick(picked === RECOMMENDED ? null : picked.slice(NAMED.length))
  }
  return (
    <>
      <MenuButton
        label="Model"
        onPick={pick}
        options={[
          { value: RECOMMENDED, label: `Recommended${now}`, check: 'radio', checked: value === null },
          ...names.map((name) => ({
            value: `${NAMED}${name}`,
            label: name,
            check: 'radio' as const,
            checked: value === name,
          })),
          { value: OTHER, label: 'Another…', divided: true },
        ]}
        target={({ toggle }) => (
          <button
            type="button"
            className={cx(css.pick, isField && css.field)}
            aria-label={`Model: ${shown}`}
            title={value === null ? `Recommended${now}` : undefined}
            disabled={disabled}
            onClick={toggle}
          >
            <IconCpu size={15} stroke={1.75} aria-hidden="true" />
            <span>{shown}</span>
            {isField && <IconSelector size={14} stroke={1.75} aria-hidden="true" />}
          </button>
        )}
      />
      {isNaming && <NameDialog value={value ?? ''} onClose={() => setNaming(false)} onName={onPick} />}
    </>
  )
}

function NameDialog({ value, onClose, onName }: { value: string; onClose(): void; onName(model: string): void }) {
  const [name, setName] = useState(value)
  const submit = () => {
    if (name.trim() === '') return
    onName(name.trim())
    onClose()
  }
  return (
    <FormDialog
      title="Another model"
      lead="Any model of the endpoint. One without a price counts in tokens only."
      onClose={onClose}
      onSubmit={submit}
      footer={
        <>
          <span className={css.grow} />
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" disabled={name.trim() === ''}>
            Use
          </Button>
        </>
      }
    >
      <Field
        label="Name of the model"
        placeholder="qwen3-coder"
        maxLength={200}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        value={name}
        onChange={setName}
      />
    </FormDialog>
  )
}
