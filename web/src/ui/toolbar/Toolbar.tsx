import type { ComponentProps, ReactNode } from 'react'
import { cx } from '../../lib/cx.ts'
import { IconX } from '../icons.ts'
import { type Option, Pick } from '../Pick.tsx'
import { PopUp } from '../PopUp.tsx'
import { tabClass } from '../Tabs.tsx'
import css from './Toolbar.module.css'

/** The line above a list: views, filters, grouping and order. */
export const Toolbar = ({ children }: { children: ReactNode }) => <div className={css.bar}>{children}</div>

export const ToolbarRule = () => <span className={css.rule} />
export const ToolbarSpace = () => <span className={css.grow} />

export const ToolbarTotal = ({ children, isLive }: { children: ReactNode; isLive?: boolean }) => (
  <span className={css.total} role={isLive ? 'status' : undefined}>
    {children}
  </span>
)

/** Something that is set. The button takes it back. */
export function FilterChip({ name, label, onRemove }: { name: string; label: string; onRemove(): void }) {
  return (
    <span className={css.filter}>
      {name}
      <button type="button" aria-label={label} onClick={onRemove}>
        <IconX size={13} />
      </button>
    </span>
  )
}

interface ToolProps extends ComponentProps<'button'> {
  icon?: ReactNode
  name: string
  /** A narrow screen shows only its icon. */
  isLate?: boolean
}

/** Looks like a tab. Also the button of a `PopUp` or a `MenuButton`. */
export function Tool({ icon, name, isLate, ...rest }: ToolProps) {
  return (
    <button type="button" {...rest} className={cx(tabClass, isLate && css.late)}>
      {icon}
      {name}
    </button>
  )
}

interface ChoiceProps {
  icon: ReactNode
  name: string
  options: Option[]
  selected: string[]
  onPick(value: string): void
}

/** A list that one thing is chosen from. */
export function ToolChoice({ icon, name, options, selected, onPick }: ChoiceProps) {
  return (
    <PopUp place="bottom-end" target={({ toggle }) => <Tool icon={icon} name={name} isLate onClick={toggle} />}>
      {(close) => (
        <Pick
          options={options}
          selected={selected}
          onPick={(value) => {
            close()
            onPick(value)
          }}
        />
      )}
    </PopUp>
  )
}
