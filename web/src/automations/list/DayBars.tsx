import { countOf } from '../../lib/numbers.ts'
import type { AutomationRow } from '../api.ts'
import css from './Automations.module.css'

const DAYS = 30
const DAY_MS = 86_400_000
const HEIGHT = 22

/** Thirty days of runs: green succeeded, red failed, a dash where there was none. */
export function DayBars({ row }: { row: Pick<AutomationRow, 'days' | 'total_runs_30d' | 'failed_runs_30d'> }) {
  const byDay = new Map(row.days.map((one) => [one.day, one]))
  const last = Date.now()
  const days = Array.from({ length: DAYS }, (_, at) => {
    const day = new Date(last - (DAYS - 1 - at) * DAY_MS).toISOString().slice(0, 10)
    return byDay.get(day) ?? { day, succeeded: 0, failed: 0 }
  })
  const most = Math.max(1, ...days.map(({ succeeded, failed }) => succeeded + failed))
  const label = `${countOf(row.total_runs_30d, 'run')} in 30 days, ${row.failed_runs_30d} failed`
  return (
    <span className={css.days}>
      <svg viewBox={`0 0 ${DAYS * 6} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
        {days.map(({ day, succeeded, failed }, at) => {
          const of = (count: number) => (count === 0 ? 0 : Math.max(3, (count / most) * HEIGHT))
          const [good, bad] = [of(succeeded), of(failed)]
          if (good + bad === 0)
            return <rect key={day} className={css.none} x={at * 6} y={HEIGHT - 1} width={4} height={1} />
          return (
            <g key={day}>
              <title>{`${day}: ${succeeded} succeeded, ${failed} failed`}</title>
              <rect className={css.good} x={at * 6} y={HEIGHT - good} width={4} height={good} rx={1} />
              <rect className={css.bad} x={at * 6} y={Math.max(0, HEIGHT - good - bad)} width={4} height={bad} rx={1} />
            </g>
          )
        })}
      </svg>
      <span className={css.may} aria-hidden="true">
        {countOf(row.total_runs_30d, 'run')}
        {row.failed_runs_30d > 0 && (
          <>
            {' · '}
            <span className={css.failed}>{row.failed_runs_30d} failed</span>
          </>
        )}
      </span>
    </span>
  )
}
