import { cx } from '../lib/cx.ts'
import css from './charts.module.css'

interface MeterProps {
  /** What is measured: "Tokens used". */
  label: string
  value: number
  max: number
  /** The value as a person would say it: "4,200 of 8,000". */
  text?: string
  /** A budget turns amber at 80 % and red at 100 %. */
  tone?: 'accent' | 'green' | 'amber' | 'budget'
  className?: string | undefined
}

const toneOf = (share: number) => (share >= 1 ? 'red' : share >= 0.8 ? 'amber' : 'accent')

/** How much of something is used or done. */
export function Meter({ label, value, max, text, tone = 'accent', className }: MeterProps) {
  const share = max > 0 ? Math.min(1, Math.max(0, value / max)) : 0
  return (
    // biome-ignore lint/a11y/useSemanticElements: browsers draw a <meter> each in their way.
    <span
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={Math.min(max, value)}
      aria-valuetext={text ?? `${Math.round(share * 100)} %`}
      className={cx(css.meter, css[tone === 'budget' ? toneOf(share) : tone], className)}
    >
      <span style={{ width: `${share * 100}%` }} />
    </span>
  )
}

interface Part {
  name: string
  count: number
  /** A token: "var(--green)". */
  color: string
}

const describe = (parts: Part[]) => parts.map(({ name, count }) => `${count} ${name}`).join(', ')

/** One bar of several parts, each as long as its share. */
export const Shares = ({
  label,
  parts,
  className,
}: {
  label: string
  parts: Part[]
  className?: string | undefined
}) => (
  <span role="img" aria-label={`${label}: ${describe(parts) || 'nothing'}`} className={cx(css.shares, className)}>
    {parts
      .filter(({ count }) => count > 0)
      .map(({ name, count, color }) => (
        <span key={name} title={`${count} ${name}`} style={{ flexGrow: count, background: color }} />
      ))}
  </span>
)

const WIDTH = 100
const HEIGHT = 24

interface SeriesProps {
  label: string
  values: { name: string; count: number }[]
}

const nameOf = ({ label, values }: SeriesProps) =>
  `${label}: ${values.map(({ name, count }) => `${name} ${count}`).join(', ') || 'nothing'}`

/** How something went over time, as a line. `isFilled` shows the area below it, and where it ends. */
export function Sparkline({ isFilled = false, ...series }: SeriesProps & { isFilled?: boolean }) {
  const most = Math.max(1, ...series.values.map(({ count }) => count))
  const step = WIDTH / Math.max(1, series.values.length - 1)
  const points = series.values.map(
    ({ count }, index) => `${index * step},${HEIGHT - 1 - (count / most) * (HEIGHT - 2)}`,
  )
  return (
    <svg
      className={css.spark}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={nameOf(series)}
    >
      {isFilled && <polygon points={`0,${HEIGHT} ${points.join(' ')} ${WIDTH},${HEIGHT}`} />}
      <polyline points={points.join(' ')} />
      {isFilled && <path d={`M${points.at(-1) ?? `0,${HEIGHT}`}h0`} />}
    </svg>
  )
}

/** The same as columns, each with its number on hover. */
export function Bars(series: SeriesProps) {
  const most = Math.max(1, ...series.values.map(({ count }) => count))
  const step = WIDTH / Math.max(1, series.values.length)
  return (
    <svg
      className={css.bars}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={nameOf(series)}
    >
      {series.values.map(({ name, count }, index) => {
        const height = Math.max(count > 0 ? 1 : 0, (count / most) * HEIGHT)
        return (
          <rect key={name} x={index * step + step * 0.1} y={HEIGHT - height} width={step * 0.8} height={height}>
            <title>{`${name}: ${count}`}</title>
          </rect>
        )
      })}
    </svg>
  )
}
