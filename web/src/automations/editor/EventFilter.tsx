import { inWords } from '../../lib/kinds.ts'
import { TriggerIcon } from '../TriggerIcon.tsx'
import { TRIGGER_NAMES, type TriggerType } from '../words.ts'
import type { Values } from './draft.ts'
import css from './When.module.css'

type Filter = NonNullable<Values['triggers'][number]['filter']>
type Status = NonNullable<Filter['status_to']>[number]
type TextField = 'label' | 'path' | 'category' | 'key'

const STATUSES: readonly Status[] = ['backlog', 'ready', 'in_progress', 'in_review', 'blocked', 'completed']

/** The conditions that an event of a kind can have. */
export const FILTERS: Partial<Record<TriggerType, { field: TextField; name: string; example: string }[]>> = {
  code_push: [{ field: 'path', name: 'Only paths that begin with', example: 'src/payments/' }],
  feedback_submitted: [{ field: 'key', name: 'Only from the reporting key', example: 'Web shop' }],
  requirements_updated: [{ field: 'category', name: 'Only of the type', example: 'FEATURE' }],
  blueprint_updated: [{ field: 'category', name: 'Only in the category', example: 'Components' }],
  work_order_status_changed: [{ field: 'label', name: 'Only with the label', example: 'customer' }],
}

interface Props {
  type: TriggerType
  filter: Filter
  fault: string | undefined
  onChange(filter: Filter | null): void
}

/** Which events of a kind start a run. Left empty, all of them do. */
export function EventFilter({ type, filter, fault, onChange }: Props) {
  const set = (change: Partial<Filter>) => {
    const next = Object.fromEntries(
      Object.entries({ ...filter, ...change }).filter(([, value]) => value != null && value !== ''),
    )
    onChange(Object.keys(next).length > 0 ? (next as Filter) : null)
  }
  return (
    <div className={css.filter}>
      <strong>
        <TriggerIcon type={type} /> {TRIGGER_NAMES[type]}
      </strong>
      {type === 'work_order_status_changed' && (
        <>
          <Statuses
            name="Only from"
            chosen={filter.status_from ?? []}
            onChange={(status_from) => set({ status_from })}
          />
          <Statuses name="Only to" chosen={filter.status_to ?? []} onChange={(status_to) => set({ status_to })} />
        </>
      )}
      {FILTERS[type]?.map(({ field, name, example }) => (
        <label key={field}>
          {name}
          <input
            value={filter[field] ?? ''}
            placeholder={example}
            maxLength={500}
            onChange={(event) => set({ [field]: event.target.value })}
          />
        </label>
      ))}
      {fault && <p className={css.fault}>{fault}</p>}
    </div>
  )
}

interface StatusProps {
  name: string
  chosen: readonly Status[]
  onChange(statuses: Status[] | null): void
}

function Statuses({ name, chosen, onChange }: StatusProps) {
  const toggle = (status: Status) => {
    const next = STATUSES.filter((one) => (one === status ? !chosen.includes(one) : chosen.includes(one)))
    onChange(next.length > 0 ? [...next] : null)
  }
  return (
    <fieldset className={css.statuses}>
      <legend>{name}</legend>
      {STATUSES.map((status) => (
        <button key={status} type="button" aria-pressed={chosen.includes(status)} onClick={() => toggle(status)}>
          {inWords(status)}
        </button>
      ))}
    </fieldset>
  )
}
