import { cx } from '../../lib/cx.ts'
import { IconCheck } from '../../ui/icons.ts'
import { TriggerIcon } from '../TriggerIcon.tsx'
import { TRIGGER_NAMES, TRIGGERS, type TriggerType } from '../words.ts'
import { EventFilter, FILTERS } from './EventFilter.tsx'
import { ScheduleFields } from './ScheduleFields.tsx'
import type { StepProps } from './step-props.ts'
import css from './When.module.css'

const OWN_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone

/** What starts a run: schedules, and events with what must hold for them. */
export function When({ projectId, values, fault, onChange }: StepProps) {
  const { triggers } = values
  const toggle = (trigger_type: TriggerType) => {
    const config = trigger_type === 'schedule' ? { preset: 'weekdays' as const, timezone: OWN_ZONE } : null
    onChange({
      triggers: triggers.some((one) => one.trigger_type === trigger_type)
        ? triggers.filter((one) => one.trigger_type !== trigger_type)
        : [...triggers, { trigger_type, config }],
    })
  }
  const change = (at: number, next: (typeof triggers)[number]) =>
    onChange({ triggers: triggers.map((one, index) => (index === at ? next : one)) })
  return (
    <>
      <div className={css.chips}>
        {TRIGGERS.map((type) => {
          const isOn = triggers.some((one) => one.trigger_type === type)
          return (
            <button
              key={type}
              type="button"
              className={cx(css.chip, isOn && css.chosen)}
              aria-pressed={isOn}
              onClick={() => toggle(type)}
            >
              <TriggerIcon type={type} />
              {TRIGGER_NAMES[type]}
              {isOn && <IconCheck size={14} stroke={1.75} />}
            </button>
          )
        })}
      </div>
      {triggers.map((trigger, at) => {
        const key = `${at} ${trigger.trigger_type}`
        if (trigger.trigger_type === 'schedule')
          return (
            <ScheduleFields
              key={key}
              projectId={projectId}
              config={trigger.config ?? {}}
              onChange={(config) => change(at, { ...trigger, config })}
            />
          )
        if (!FILTERS[trigger.trigger_type]) return null
        return (
          <EventFilter
            key={key}
            type={trigger.trigger_type}
            filter={trigger.filter ?? {}}
            fault={fault?.pointer.startsWith(`/triggers/${at}/`) ? fault.detail : undefined}
            onChange={(filter) => change(at, { ...trigger, filter })}
          />
        )
      })}
      {triggers.length === 0 && <p className={css.dim}>Nothing starts it by itself: you run it by hand.</p>}
    </>
  )
}
