import * as api from '@slipway/sdk/resources'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { callOf, SlipwayError } from '../../lib/client.ts'
import { useSettled } from '../../lib/use-settled.ts'
import { Segments } from '../../ui/Segments.tsx'
import { Select } from '../../ui/Select.tsx'
import { automationsKey } from '../api.ts'
import { scheduleWords } from '../words.ts'
import css from './When.module.css'

interface Config {
  preset?: 'hourly' | 'daily' | 'weekdays' | 'weekly' | 'monthly' | null
  cron_expression?: string | null
  timezone?: string | null
}

const PRESETS = [
  { value: 'hourly', label: 'Hourly', cron: '0 * * * *' },
  { value: 'daily', label: 'Daily', cron: '0 9 * * *' },
  { value: 'weekdays', label: 'Weekdays', cron: '0 9 * * 1-5' },
  { value: 'weekly', label: 'Weekly', cron: '0 9 * * 1' },
  { value: 'monthly', label: 'Monthly', cron: '0 9 1 * *' },
] as const
const PARTS = ['minute', 'hour', 'day', 'month', 'weekday']
const ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')].map((zone) => ({
  value: zone,
  label: zone,
}))

interface Props {
  projectId: string
  config: Config
  onChange(config: Config): void
}

/** A preset or five fields, and when that would fire. */
export function ScheduleFields({ projectId, config, onChange }: Props) {
  const timezone = config.timezone ?? 'UTC'
  const preset = config.preset ?? 'cron'
  const cron = config.cron_expression ?? PRESETS.find(({ value }) => value === config.preset)?.cron ?? '0 9 * * *'
  const parts = cron.split(' ')
  const words = scheduleWords(cron)
  const asked = useSettled(cron)
  const query = useQuery({
    queryKey: [...automationsKey(projectId), 'schedule', asked, timezone],
    queryFn: async ({ signal }) =>
      (await api.automations(callOf(projectId)).previewSchedule({ cron_expression: asked, timezone }, { signal })).data,
    placeholderData: keepPreviousData,
    retry: false,
  })
  const fault =
    query.error instanceof SlipwayError ? (query.error.errors?.[0]?.detail ?? query.error.message) : undefined
  return (
    <div className={css.schedule}>
      <div>
        <Segments
          label="Schedule"
          options={[...PRESETS, { value: 'cron', label: 'Cron' }]}
          value={preset}
          onChange={(value) =>
            onChange(
              value === 'cron'
                ? { timezone, cron_expression: cron, preset: null }
                : { timezone, preset: value, cron_expression: null },
            )
          }
        />
        <div className={css.cron}>
          {PARTS.map((name, at) => (
            <label key={name}>
              <input
                value={parts[at] ?? '*'}
                aria-invalid={fault !== undefined || undefined}
                onChange={(event) => {
                  const next = PARTS.map((_, index) =>
                    index === at ? event.target.value.trim() || '*' : (parts[index] ?? '*'),
                  )
                  onChange({ timezone, preset: null, cron_expression: next.join(' ') })
                }}
              />
              {name}
            </label>
          ))}
        </div>
        {fault && (
          <p className={css.fault} role="alert">
            {fault}
          </p>
        )}
        {!fault && words !== cron && <p className={css.words}>{words}</p>}
        <Select
          label="Time zone"
          value={timezone}
          options={ZONES}
          onPick={(zone) => onChange({ ...config, timezone: zone })}
        />
      </div>
      <Fires fires={fault ? [] : (query.data?.fires ?? [])} timezone={timezone} />
    </div>
  )
}

function Fires({ fires, timezone }: { fires: string[]; timezone: string }) {
  const zone = isKnown(timezone) ? timezone : 'UTC'
  const day = new Intl.DateTimeFormat('en', { weekday: 'long', month: 'short', day: 'numeric', timeZone: zone })
  const clock = (timeZone: string) =>
    new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone })
  return (
    <div className={css.fires}>
      <h3>
        Next five fires <span>{zone}</span>
      </h3>
      <ol>
        {fires.map((at) => (
          <li key={at}>
            <span>{day.format(new Date(at))}</span>
            <strong>{clock(zone).format(new Date(at))}</strong>
            <span>{clock('UTC').format(new Date(at))} UTC</span>
          </li>
        ))}
      </ol>
    </div>
  )
}

const isKnown = (zone: string) => ZONES.some(({ value }) => value === zone)
