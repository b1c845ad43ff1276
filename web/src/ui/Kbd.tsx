import { cx } from '../lib/cx.ts'
import css from './Kbd.module.css'

const isApple = /mac|iphone|ipad/i.test(navigator.userAgent)
const SIGNS: Record<string, string> = {
  mod: isApple ? '⌘' : 'Ctrl',
  shift: '⇧',
  enter: '↵',
  up: '↑',
  down: '↓',
  backspace: '⌫',
}

/** Keys as they are printed on a keyboard: `mod+k` shows two of them. */
export function Kbd({ keys, joined, onAccent }: { keys: string; joined?: boolean; onAccent?: boolean }) {
  const signs = keys.split(/[+ ]/).map((key) => SIGNS[key] ?? (key.length === 1 ? key.toUpperCase() : key))
  const shown = joined ? [signs.join(isApple ? '' : ' ')] : signs
  return (
    <span className={css.keys} aria-hidden="true">
      {shown.map((sign) => (
        <kbd key={sign} className={cx(css.key, onAccent && css.onAccent)}>
          {sign}
        </kbd>
      ))}
    </span>
  )
}
