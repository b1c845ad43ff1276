import { useState } from 'react'
import { costOf } from '../../agents/cost.ts'
import { formatCount } from '../../lib/numbers.ts'
import { ActorMark } from '../../people/ActorMark.tsx'
import { Avatar } from '../../people/Avatar.tsx'
import { Meter } from '../../ui/charts.tsx'
import { Segments } from '../../ui/Segments.tsx'
import shared from '../Settings.module.css'
import { type ModelUsage, tokensText } from './api.ts'
import css from './Models.module.css'
import { type Series, UsageChart } from './UsageChart.tsx'
import { nameOfUse } from './usage-csv.ts'

const COLORS = ['var(--accent)', 'var(--violet)', 'var(--green)', 'var(--blue)', 'var(--amber)']
const REST = 'var(--gray)'

type By = 'automation' | 'person'
interface Line {
  id: string
  name: string
  days: { day: string; tokens: number; cost: number }[]
}

/** The largest have colors of their own; the others share one. */
function seriesOf(lines: Line[], isPriced: boolean): Series[] {
  const amountOf = (one: { tokens: number; cost: number }) => (isPriced ? one.cost : one.tokens)
  const named = lines.slice(0, COLORS.length).map(({ id, name, days }, index) => ({
    id,
    name,
    color: COLORS[index]!,
    days: days.map((one) => ({ day: one.day, value: amountOf(one) })),
  }))
  const rest = new Map<string, number>()
  for (const { days } of lines.slice(COLORS.length))
    for (const one of days) rest.set(one.day, (rest.get(one.day) ?? 0) + amountOf(one))
  const others = [...rest].map(([day, value]) => ({ day, value }))
  return others.length === 0 ? named : [...named, { id: 'rest', name: 'Others', color: REST, days: others }]
}

interface Props {
  /** Of the month. */
  usage: ModelUsage
  /** Of the day that the table is narrowed to. Undefined for the whole month. */
  ofDay: ModelUsage | undefined
  isPriced: boolean
  onDay(day: string): void
}

/** What agents used in a month, by automation or by person, and what came of it. */
export function Usage({ usage, ofDay, isPriced, onDay }: Props) {
  const [by, setBy] = useState<By>('automation')
  const lines: Line[] =
    by === 'person'
      ? usage.people.map(({ user_id, display_name, days }) => ({ id: user_id, name: display_name, days }))
      : usage.automations.map((one) => ({ id: one.automation_id ?? 'talks', name: nameOfUse(one), days: one.days }))
  const series = seriesOf(lines, isPriced)
  return (
    <section aria-label="Usage">
      <div className={css.between}>
        <div className={css.legend}>
          <h2 className={css.heading}>{isPriced ? 'Cost a day' : 'Tokens a day'}</h2>
          {series.map(({ id, name, color }) => (
            <span key={id} className={css.key}>
              <span style={{ background: color }} /> {name}
            </span>
          ))}
        </div>
        <Segments<By>
          label="Divided by"
          options={[
            { value: 'automation', label: 'Automation' },
            { value: 'person', label: 'Person' },
          ]}
          value={by}
          onChange={setBy}
        />
      </div>
      <UsageChart month={usage.month} series={series} text={isPriced ? costOf : tokensText} onDay={onDay} />
      {by === 'automation' ? (
        <ByAutomation usage={ofDay ?? usage} isPriced={isPriced} />
      ) : (
        <ByPerson usage={ofDay ?? usage} isPriced={isPriced} />
      )}
    </section>
  )
}

function ByAutomation({ usage, isPriced }: { usage: ModelUsage; isPriced: boolean }) {
  const sum = (field: 'runs' | 'accepted' | 'decided') => usage.automations.reduce((all, one) => all + one[field], 0)
  return (
    <table className={shared.table}>
      <thead>
        <tr>
          <th>Where it went</th>
          <th className={shared.wide}>Runs</th>
          <th>Tokens</th>
          {isPriced && <th>Cost</th>}
          {isPriced && <th className={shared.wide}>Its budget</th>}
          <th
            className={shared.wide}
            title="Changes that a person accepted or left as they are, of all that are decided"
          >
            Accepted
          </th>
          {isPriced && <th className={shared.wide}>Per accepted change</th>}
        </tr>
      </thead>
      <tbody>
        {usage.automations.map((one) => (
          <tr key={one.automation_id ?? 'talks'}>
            <td>
              <span className={shared.owner}>
                <ActorMark
                  actor={{
                    type: one.automation_id ? 'automation' : 'agent',
                    id: null,
                    name: nameOfUse(one),
                    on_behalf_of: null,
                  }}
                />
                {nameOfUse(one)}
              </span>
            </td>
            <td className={shared.wide}>{one.automation_id ? formatCount(one.runs) : '–'}</td>
            <td>{tokensText(one.tokens)}</td>
            {isPriced && (
              <td>
                <strong>{costOf(one.cost)}</strong>
              </td>
            )}
            {isPriced && (
              <td className={shared.wide}>
                {one.cost_per_month === null ? (
                  <span className={css.note}>none of its own</span>
                ) : (
                  <span className={css.own}>
                    <Meter
                      label={`Budget of ${nameOfUse(one)}`}
                      value={one.cost}
                      max={one.cost_per_month}
                      tone="budget"
                      className={css.meter}
                    />
                    of {costOf(one.cost_per_month)}
                  </span>
                )}
              </td>
            )}
            <td className={shared.wide}>{acceptedText(one)}</td>
            {isPriced && <td className={shared.wide}>{one.accepted > 0 ? costOf(one.cost / one.accepted) : '–'}</td>}
          </tr>
        ))}
        <tr className={css.together}>
          <td>Together</td>
          <td className={shared.wide}>{formatCount(sum('runs'))}</td>
          <td>{tokensText(usage.tokens)}</td>
          {isPriced && <td>{costOf(usage.cost)}</td>}
          {isPriced && <td className={shared.wide} />}
          <td className={shared.wide}>{acceptedText({ accepted: sum('accepted'), decided: sum('decided') })}</td>
          {isPriced && (
            <td className={shared.wide}>{sum('accepted') > 0 ? costOf(usage.cost / sum('accepted')) : '–'}</td>
          )}
        </tr>
      </tbody>
    </table>
  )
}

const acceptedText = ({ accepted, decided }: { accepted: number; decided: number }) =>
  decided === 0 ? '–' : `${formatCount(accepted)} of ${formatCount(decided)}`

const ByPerson = ({ usage, isPriced }: { usage: ModelUsage; isPriced: boolean }) => (
  <table className={shared.table}>
    <thead>
      <tr>
        <th>Whose agents</th>
        <th>Tokens</th>
        {isPriced && <th>Cost</th>}
      </tr>
    </thead>
    <tbody>
      {usage.people.map(({ user_id, display_name, tokens, cost }) => (
        <tr key={user_id}>
          <td>
            <span className={shared.owner}>
              <Avatar person={{ id: user_id, name: display_name, email: '' }} size={20} />
              {display_name}
            </span>
          </td>
          <td>{tokensText(tokens)}</td>
          {isPriced && <td>{costOf(cost)}</td>}
        </tr>
      ))}
    </tbody>
  </table>
)
