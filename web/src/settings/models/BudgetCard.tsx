import { useState } from 'react'
import { costOf } from '../../agents/cost.ts'
import { reasonOf } from '../../lib/outbox/write.ts'
import { Button } from '../../ui/Button.tsx'
import { Meter } from '../../ui/charts.tsx'
import { Field } from '../../ui/fields.tsx'
import { type ProjectBudget, tokensText } from './api.ts'
import { setBudget } from './edits.ts'
import css from './Models.module.css'
import { numberIn } from './numbers.ts'

interface Props {
  projectId: string
  budget: ProjectBudget
  /** Whether costs are known. Without them, the budget is in tokens. */
  isPriced: boolean
  isAdmin: boolean
}

/** What agents may use in a month and a day, and what they have used. */
export function BudgetCard({ projectId, budget: { limits, used, paused_reason }, isPriced, isAdmin }: Props) {
  const unit = isPriced ? 'cost' : 'tokens'
  const [perMonth, perDay] = isPriced
    ? [limits.cost_per_month, limits.cost_per_day]
    : [limits.tokens_per_month, limits.tokens_per_day]
  const text = isPriced ? costOf : tokensText
  const usedUp = used.month[unit]
  // What the person has typed, and what it would replace. Until then, the fields show what is stored.
  const [typed, setTyped] = useState<{ month?: string; day?: string; base?: ProjectBudget['limits'] }>({})
  const type = (change: { month?: string; day?: string }) => setTyped({ base: limits, ...typed, ...change })
  const isOutdated = typed.base !== undefined && JSON.stringify(typed.base) !== JSON.stringify(limits)
  const { month = String(perMonth ?? ''), day = String(perDay ?? '') } = typed
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const isChanged = month !== String(perMonth ?? '') || day !== String(perDay ?? '')
  const save = async () => {
    const [ofMonth, ofDay] = [numberIn(month), numberIn(day)]
    if (ofMonth === undefined || ofDay === undefined) return setFault('A budget is a number, or nothing for no limit.')
    setBusy(true)
    setFault(undefined)
    const outcome = await setBudget(projectId, {
      ...limits,
      [`${unit}_per_month`]: ofMonth,
      [`${unit}_per_day`]: ofDay,
      // Once theirs is shown beside it, the person decides against it knowingly.
      expected: limits,
    })
    setBusy(false)
    if (outcome.state === 'failed' && outcome.fault.status !== 412) setFault(reasonOf(outcome.fault))
    if (outcome.state === 'saved') setTyped({})
  }
  return (
    <section className={css.card} aria-labelledby="budget">
      <div className={css.between}>
        <h2 id="budget" className={css.heading}>
          Budget of this month
        </h2>
        <span className={css.note}>by UTC, all automations and conversations</span>
      </div>
      <p className={css.amount}>
        <strong>{text(usedUp)}</strong>{' '}
        {perMonth === null
          ? `${isPriced ? '' : 'tokens, '}no limit`
          : `of ${text(perMonth)}${isPriced ? '' : ' tokens'}`}
      </p>
      {perMonth !== null && (
        <>
          <Meter
            label="Budget used"
            value={usedUp}
            max={perMonth}
            tone="budget"
            text={`${text(usedUp)} of ${text(perMonth)}`}
          />
          <p className={css.alert}>
            At {text(perMonth * 0.8)}, each admin is told in a conversation, “Budget of the project: needs you”. At 100
            %, runs and conversations wait until the next month.
          </p>
        </>
      )}
      {paused_reason && <p className={css.fault}>{paused_reason}</p>}
      <form
        className={css.limits}
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <Field
          label={isPriced ? 'A month' : 'Tokens a month'}
          inputMode="decimal"
          placeholder="no limit"
          disabled={!isAdmin}
          value={month}
          fault={fault}
          onChange={(value) => type({ month: value })}
        />
        <Field
          label={isPriced ? 'A day' : 'Tokens a day'}
          inputMode="decimal"
          placeholder="no limit"
          disabled={!isAdmin}
          value={day}
          onChange={(value) => type({ day: value })}
        />
        {isAdmin && isChanged && (
          <Button type="submit" look="primary" busy={busy}>
            {isOutdated ? 'Replace it' : 'Save'}
          </Button>
        )}
        {isOutdated && <Button onClick={() => setTyped({})}>Keep theirs</Button>}
      </form>
      {isOutdated && (
        <p className={css.fault} role="alert">
          Another admin has set {perMonth === null ? 'no limit' : text(perMonth)} a month and{' '}
          {perDay === null ? 'no limit' : text(perDay)} a day in the meantime.
        </p>
      )}
      {!isAdmin && <p className={css.note}>Admins of the project set its budget.</p>}
    </section>
  )
}
