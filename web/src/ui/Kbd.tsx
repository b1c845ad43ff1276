import type { ReactNode } from 'react'
import { cx } from '../lib/cx.ts'
import { IconArrowBigUp, IconArrowDown, IconArrowUp, IconBackspace, IconCommand, IconCornerDownLeft } from './icons.ts'
import css from './Kbd.module.css'

const isApple = /mac|iphone|ipad/i.test(navigator.userAgent)
/** Drawn, because not every typeface has these signs. */
const SIGNS: Record<string, ReactNode> = {
  mod: isApple ? <IconCommand size={11} /> : 'Ctrl',
  alt: isApple ? 'Option' : 'Alt',
  shift: <IconArrowBigUp size={12} />,
  enter: <IconCornerDownLeft size={12} />,
  up: <IconArrowUp size={12} />,
  down: <IconArrowDown size={12} />,
  backspace: <IconBackspace size={12} />,
}
const signOf = (key: string) => SIGNS[key] ?? (/^(.|f\d+)$/.test(key) ? key.toUpperCase() : key)

/** Keys as they are printed on a keyboard: `mod+k` shows two of them, or one that joins them. */
export function Kbd({ keys, joined, onAccent }: { keys: string; joined?: boolean; onAccent?: boolean }) {
  const names = keys.split(/[+ ]/)
  const key = cx(css.key, onAccent && css.onAccent)
  return (
    <span className={css.keys} aria-hidden="true">
      {joined ? (
        <kbd className={key}>
          {names.map((name) => (
            <span key={name}>{signOf(name)}</span>
          ))}
        </kbd>
      ) : (
        names.map((name) => (
          <kbd key={name} className={key}>
            {signOf(name)}
          </kbd>
        ))
      )}
    </span>
  )
}
