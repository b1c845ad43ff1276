import { type KeyboardEvent, type ReactNode, useMemo, useRef, useState } from 'react'
import { cx } from '../lib/cx.ts'
import { CheckMark } from './Checkbox.tsx'
import { IconCheck, IconPlus } from './icons.ts'
import { Kbd } from './Kbd.tsx'
import css from './Pick.module.css'

export interface Option {
  value: string
  label: string
  icon?: ReactNode
  /** Shown at the end of the line. */
  count?: number
  /** Starts a new part of the list. */
  divided?: boolean
  /** The shortcut that does the same without the menu. */
  keys?: string
  /** Takes something away for good. */
  danger?: boolean
}

interface Props {
  options: Option[]
  selected: string[]
  onPick(value: string): void
  /** Keeps the list open and shows boxes. */
  multiple?: boolean
  placeholder?: string
  /** The key that opens this list, shown beside the field. */
  shortcut?: string
  /** Digits choose a line, as long as the field is empty. */
  numbered?: boolean
  footer?: boolean
  /** Called with what is typed, for lists that are searched elsewhere too. */
  onText?(text: string): void
  /** Offers to make what was typed, if nothing has that name. */
  create?: { kind: string; run(text: string): void } | undefined
}

/** A list to choose from: type to narrow it, arrows to move, Enter to choose. */
export function Pick(props: Props) {
  const { options, selected, onPick, multiple, placeholder, shortcut, numbered, footer, create, onText } = props
  const [text, setText] = useState('')
  const [at, setAt] = useState(() =>
    Math.max(
      0,
      options.findIndex(({ value }) => selected.includes(value)),
    ),
  )
  const list = useRef<HTMLDivElement>(null)
  const shown = useMemo(() => {
    const wanted = text.trim().toLowerCase()
    return wanted === '' ? options : options.filter(({ label }) => label.toLowerCase().includes(wanted))
  }, [options, text])
  const active = Math.min(at, shown.length - 1)

  const isNew =
    create && text.trim() !== '' && !options.some(({ label }) => label.toLowerCase() === text.trim().toLowerCase())

  const move = (step: number) => {
    const next = (active + step + shown.length) % Math.max(1, shown.length)
    setAt(next)
    list.current?.children[next]?.scrollIntoView({ block: 'nearest' })
  }
  const press = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') move(1)
    else if (event.key === 'ArrowUp') move(-1)
    else if (event.key === 'Enter') {
      const option = shown[active]
      if (option) onPick(option.value)
      else if (isNew) create?.run(text.trim())
    } else if (numbered && text === '' && /^[1-9]$/.test(event.key)) {
      const option = shown[Number(event.key) - 1]
      if (option) onPick(option.value)
    } else return
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <div className={css.pick} data-own-keys>
      <div className={cx(css.head, placeholder === undefined && 'sr-only')}>
        <input
          // biome-ignore lint/a11y/noAutofocus: the list opens on request, and typing narrows it.
          autoFocus
          className={css.field}
          aria-label={placeholder ?? 'Choose'}
          placeholder={placeholder}
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            onText?.(event.target.value)
            setAt(0)
          }}
          onKeyDown={press}
        />
        {shortcut && <Kbd keys={shortcut} />}
      </div>
      <div ref={list} className={css.list} role="listbox" aria-multiselectable={multiple || undefined}>
        {shown.map((option, index) => (
          <Line
            key={option.value}
            option={option}
            active={index === active}
            checked={selected.includes(option.value)}
            multiple={multiple}
            digit={numbered && index < 9 ? index + 1 : undefined}
            onHover={() => setAt(index)}
            onPick={() => onPick(option.value)}
          />
        ))}
        {shown.length === 0 && !isNew && <div className={css.none}>Nothing matches.</div>}
        {isNew && (
          <button type="button" className={cx(css.line, css.create)} onClick={() => create.run(text.trim())}>
            <span className={css.icon}>
              <IconPlus size={15} />
            </span>
            Create {create.kind} <strong>{text.trim()}</strong>
          </button>
        )}
      </div>
      {footer && (
        <div className={css.foot}>
          <span>
            <Kbd keys="up down" /> move
          </span>
          <span>
            <Kbd keys="enter" /> {multiple ? 'switch' : 'set'}
          </span>
          <Kbd keys="esc" />
        </div>
      )}
    </div>
  )
}

interface LineProps {
  option: Option
  active: boolean
  checked: boolean
  multiple: boolean | undefined
  digit: number | undefined
  onHover(): void
  onPick(): void
}

function Line({ option, active, checked, multiple, digit, onHover, onPick }: LineProps) {
  return (
    <button
      type="button"
      role="option"
      aria-selected={checked}
      tabIndex={-1}
      className={cx(css.line, active && css.active, option.divided && css.divided, option.danger && css.danger)}
      onMouseMove={onHover}
      onClick={onPick}
    >
      {multiple && <CheckMark checked={checked} />}
      {option.icon && <span className={css.icon}>{option.icon}</span>}
      <span className={css.label}>{option.label}</span>
      {!multiple && checked && <IconCheck size={16} className={css.check} />}
      {option.count !== undefined && <span className={css.count}>{option.count}</span>}
      {digit !== undefined && <Kbd keys={String(digit)} />}
      {option.keys && <Kbd keys={option.keys} />}
    </button>
  )
}
