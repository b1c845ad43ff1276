import { cx } from '../lib/cx.ts'
import css from './Checkbox.module.css'
import { IconCheck } from './icons.ts'

/** The look of a box. What contains it is the control. */
export function CheckMark({ checked, outlined }: { checked: boolean; outlined?: boolean }) {
  return (
    <span className={cx(css.box, checked && (outlined ? css.outlined : css.checked))}>
      {checked && <IconCheck size={outlined ? 9 : 12} stroke={3} />}
    </span>
  )
}
