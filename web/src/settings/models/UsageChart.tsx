import css from './Models.module.css'

export interface Series {
  id: string
  name: string
  color: string
  days: { day: string; value: number }[]
}

const dayName = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' })
const WIDTH = 100
const HEIGHT = 100

interface Props {
  month: string
  series: Series[]
  text(value: number): string
  /** A click on a day does the same as choosing it above. */
  onDay(day: string): void
}

/** What was used on each day of a month, as columns of one part for each series. */
export function UsageChart({ month, series, text, onDay }: Props) {
  const [year, number] = month.split('-').map(Number)
  const length = new Date(Date.UTC(year!, number!, 0)).getUTCDate()
  const days = Array.from({ length }, (_, index) => {
    const day = `${month}-${String(index + 1).padStart(2, '0')}`
    const parts = series.map(({ id, name, color, days }) => ({
      id,
      name,
      color,
      value: days.find((one) => one.day === day)?.value ?? 0,
    }))
    return { day, parts, sum: parts.reduce((sum, { value }) => sum + value, 0) }
  })
  const most = Math.max(...days.map(({ sum }) => sum)) || 1
  const step = WIDTH / length
  const used = days.filter(({ sum }) => sum > 0)
  return (
    <figure className={css.chart}>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`By day: ${used.map(({ day, sum }) => `${day} ${text(sum)}`).join(', ') || 'nothing'}`}
      >
        {days.map(({ day, parts, sum }, index) => {
          let top = HEIGHT
          return (
            // biome-ignore lint/a11y/noStaticElementInteractions: keys choose the day above.
            <g key={day} onClick={() => sum > 0 && onDay(day)}>
              <title>{`${day}: ${text(sum)}${parts
                .filter(({ value }) => value > 0)
                .map(({ name, value }) => `\n${name} ${text(value)}`)
                .join('')}`}</title>
              <rect className={css.column} x={index * step} y={0} width={step} height={HEIGHT} />
              {parts.map(({ id, color, value }) => {
                const height = (value / most) * (HEIGHT - 4)
                top -= height
                return (
                  <rect
                    key={id}
                    x={index * step + step * 0.1}
                    y={top}
                    width={step * 0.8}
                    height={height}
                    fill={color}
                  />
                )
              })}
            </g>
          )
        })}
      </svg>
      <figcaption className={css.axis}>
        <span>{dayName.format(new Date(days[0]!.day))}</span>
        <span>most on a day: {text(Math.max(...days.map(({ sum }) => sum)))}</span>
        <span>{dayName.format(new Date(days.at(-1)!.day))}</span>
      </figcaption>
    </figure>
  )
}
