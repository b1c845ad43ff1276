import { formatCount } from '../../lib/numbers.ts'
import { dayOf, daysFromNow } from '../../lib/time.ts'
import { Bars } from '../../ui/charts.tsx'
import type { ThemeRow } from './api.ts'
import css from './ThemeFigures.module.css'

/** The weeks of the trend, each with the day it began. */
export const weeksOf = ({ trend }: Pick<ThemeRow, 'trend'>) =>
  trend.map((count, index) => ({ name: `Week of ${dayOf(daysFromNow(-7 * (trend.length - index)))}`, count }))

/** How many people, how many quotes, since when, and how many of them each week. */
export function ThemeFigures({ row, isWide = false }: { row: ThemeRow; isWide?: boolean }) {
  const thisWeek = row.trend.at(-1) ?? 0
  return (
    <dl className={css.figures}>
      <Figure name={row.people_count === 1 ? 'person' : 'people'} value={formatCount(row.people_count)} />
      <Figure name={row.quote_count === 1 ? 'quote' : 'quotes'} value={formatCount(row.quote_count)} />
      {isWide && row.first_reported_at && <Figure name="first of them" value={dayOf(row.first_reported_at)} />}
      <div className={css.weeks}>
        <dt>
          Reports a week
          <strong>{thisWeek === 0 ? 'none this week' : `${formatCount(thisWeek)} this week`}</strong>
        </dt>
        <dd>
          <Bars label={`Reports in each of the last ${row.trend.length} weeks`} values={weeksOf(row)} />
        </dd>
      </div>
    </dl>
  )
}

const Figure = ({ name, value }: { name: string; value: string }) => (
  <div className={css.figure}>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
)
