import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ModelPick } from '../../agents/ModelPick.tsx'
import { Segments } from '../../ui/Segments.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { rowsQuery } from '../api.ts'
import type { Values } from './draft.ts'
import css from './Editor.module.css'
import type { StepProps } from './step-props.ts'

const BUDGETS: { field: keyof Values['budget']; name: string }[] = [
  { field: 'cost_per_month', name: 'Cost per month' },
  { field: 'cost_per_day', name: 'Cost per day' },
  { field: 'tokens_per_month', name: 'Tokens per month' },
  { field: 'tokens_per_day', name: 'Tokens per day' },
]

/** The model, whether a person approves, the budget, and what happens to a run while another one goes on. */
export function Limits({ projectId, values, fault, isFixed, onChange }: StepProps) {
  const model = useQuery(rowsQuery(projectId)).data?.model
  const wanted = values.model ?? model?.name
  const isPriced = wanted !== undefined && wanted !== null && model?.priced.includes(wanted)
  const hasCost = values.budget.cost_per_day !== null || values.budget.cost_per_month !== null
  return (
    <div className={css.limits}>
      <ModelPick
        isField
        value={values.model}
        recommended={model?.name}
        known={model?.priced ?? []}
        disabled={isFixed}
        onPick={(model) => onChange({ model })}
      />
      {model && !model.is_set && (
        <p className={css.fault}>
          No model is set up, so its runs fail. An admin chooses one under Settings, Models and budgets.
        </p>
      )}
      {model && (
        <p className={css.dim}>
          A run ends after {model.max_steps} steps or {Math.round(model.max_seconds / 60)} minutes.
        </p>
      )}
      <Switch
        checked={values.approval === 'required'}
        onChange={(isOn) => onChange({ approval: isOn ? 'required' : 'none' })}
      >
        Ask first: a person accepts each change
      </Switch>
      <h3>Budget</h3>
      <div className={css.budgets}>
        {BUDGETS.map(({ field, name }) => (
          <Amount
            key={field}
            name={name}
            value={values.budget[field]}
            isWhole={field.startsWith('tokens')}
            onChange={(amount) => onChange({ budget: { ...values.budget, [field]: amount } })}
          />
        ))}
      </div>
      {hasCost && wanted && !isPriced && (
        <p className={css.fault}>
          The model “{wanted}” has no price, so a budget in money stops its runs. Set one in tokens.
        </p>
      )}
      {fault?.pointer.startsWith('/budget') && <p className={css.fault}>{fault.detail}</p>}
      <h3>While another run goes on</h3>
      <Segments
        label="While another run goes on"
        options={[
          { value: 'default', label: 'Default' },
          { value: 'skip', label: 'Skip' },
          { value: 'queue', label: 'Queue' },
          { value: 'parallel', label: 'Parallel' },
        ]}
        value={values.concurrency ?? 'default'}
        onChange={(value) => onChange({ concurrency: value === 'default' ? null : value })}
      />
      <p className={css.dim}>By default, schedules skip a run and everything else queues it.</p>
    </div>
  )
}

interface AmountProps {
  name: string
  value: number | null
  isWhole: boolean
  onChange(value: number | null): void
}

function Amount({ name, value, isWhole, onChange }: AmountProps) {
  const [text, setText] = useState(value === null ? '' : String(value))
  const isWrong = text !== '' && !(isWhole ? /^\d{1,12}$/ : /^\d{1,9}(\.\d{1,4})?$/).test(text)
  return (
    <label>
      {name}
      <input
        inputMode="decimal"
        value={text}
        placeholder="none"
        aria-invalid={isWrong || undefined}
        onChange={({ target }) => {
          setText(target.value)
          const amount = Number(target.value)
          if (target.value === '') onChange(null)
          else if (Number.isFinite(amount) && amount > 0) onChange(isWhole ? Math.round(amount) : amount)
        }}
      />
    </label>
  )
}
