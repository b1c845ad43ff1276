import css from './Entry.module.css'

const LINES = 9
const LENGTH = 240

/** Long, low waves behind the card, fainter the nearer they are. */
export function Waves() {
  return (
    <svg className={css.waves} preserveAspectRatio="xMidYMin slice" viewBox="0 0 1440 260" aria-hidden="true">
      {Array.from({ length: LINES }, (_, line) => {
        const y = 12 + line * 30
        const start = -LENGTH * 2 + (line % 2) * 60 - line * 25
        const crests = Array.from({ length: 10 }, () => `q${LENGTH / 4} 9 ${LENGTH / 2} 0 t${LENGTH / 2} 0`).join(' ')
        const opacity = 0.75 - line * 0.07
        return <path key={y} d={`M${start} ${y} ${crests}`} opacity={opacity} />
      })}
    </svg>
  )
}
