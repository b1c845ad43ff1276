import { type KeyboardEvent, useId, useMemo, useRef, useState } from 'react'
import { cx } from '../lib/cx.ts'
import { namesOf } from '../lib/shortcuts.ts'
import { CheckMark } from './Checkbox.tsx'
import { type Create, CreateLine } from './CreateLine.tsx'
import { IconCheck } from './icons.ts'
import { Kbd } from './Kbd.tsx'
import type { Option } from './option.ts'
import css from './Pick.module.css'

export type { Option }

interface Props {
  options: Option[]
  selected: string[]
  onPick(value: string): void
  /** Keeps the list open and shows boxes. */
  multiple?: boolean
  placeholder?: string | undefined
  /** The key that opens this list, shown beside the field. */
  shortcut?: string | undefined
  /** Digits choose a line, as long as the field is empty. */
  numbered?: boolean
  footer?: boolean
  /** Called with what is typed, for lists that are searched elsewhere too. */
  onText?(text: string): void
  /** Offers to make what was typed, if nothing has that name. */
  create?: Create | undefined
  /** Several are chosen: the modifier with Enter ends it. */
  onDone?(): void
}

/** A list to choose from: type to narrow it, arrows to move, Enter to choose. */
export function Pick(props: Props) {
  const { options, selected, onPick, multiple, placeholder, shortcut, numbered, footer, create, onText, onDone } = props
  const id = useId()
  const [text, setText] = useState('')
  const [naming, setNaming] = useState(false)
  const [color, setColor] = useState(create?.colors?.first)
  const [at, setAt] = useState(() =>
    Math.max(
      0,
      options.findIndex(({ value }) => selected.includes(value)),
    ),
  )
  const field = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const wanted = text.trim().toLowerCase()
  const shown = useMemo(() => {
    if (naming) return []
    if (wanted === '') return options
    return options.filter(({ label, words = label }) => words.toLowerCase().includes(wanted))
  }, [options, wanted, naming])

  const isTaken = options.some(({ label }) => label.toLowerCase() === wanted)
  const isNew = create && wanted !== '' && !isTaken
  const invites = create?.invite && wanted === '' && !naming
  const count = shown.length + (isNew || invites ? 1 : 0)
  const active = Math.min(at, count - 1)

  const move = (step: number) => {
    const next = (active + step + count) % Math.max(1, count)
    setAt(next)
    list.current?.children[next]?.scrollIntoView({ block: 'nearest' })
  }
  const choose = (index: number) => {
    const option = shown[index]
    if (option) onPick(option.value)
    else if (isNew) create.run(text.trim(), color)
    else if (invites) {
      setNaming(true)
      field.current?.focus()
    }
  }
  const press = (event: KeyboardEvent) => {
    const name = namesOf(event.nativeEvent)
    if (event.key === 'ArrowDown') move(1)
    else if (event.key === 'ArrowUp') move(-1)
    else if (name === 'mod+enter' && onDone) onDone()
    else if (event.key === 'Enter') choose(active)
    else if (numbered && text === '' && /^[1-9]$/.test(event.key)) {
      if (shown[Number(event.key) - 1]) choose(Number(event.key) - 1)
    } else return
    event.preventDefault()
    event.stopPropagation()
  }
  const asked = naming ? `Title of the new ${create?.kind}` : placeholder

  return (
    <div className={css.pick} data-own-keys>
      <div className={cx(css.head, asked === undefined && 'sr-only')}>
        <input
          ref={field}
          role="combobox"
          aria-expanded={shown.length > 0}
          aria-autocomplete="list"
          // biome-ignore lint/a11y/noAutofocus: the list opens on request, and typing narrows it.
          autoFocus
          // Says the same to the trap of the pop-up, which would take the first control otherwise.
          data-autofocus
          className={css.field}
          aria-label={asked ?? 'Choose'}
          aria-controls={id}
          aria-activedescendant={count > 0 ? `${id}-${active}` : undefined}
          placeholder={asked}
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
      <div ref={list} id={id} className={css.list} role="listbox" aria-multiselectable={multiple || undefined}>
        {shown.map((option, index) => (
          <Line
            key={option.value}
            id={`${id}-${index}`}
            option={option}
            active={index === active}
            checked={selected.includes(option.value)}
            multiple={multiple}
            digit={numbered && index < 9 ? index + 1 : undefined}
            onHover={() => setAt(index)}
            onPick={() => choose(index)}
          />
        ))}
      </div>
      {count === 0 && !naming && <div className={css.none}>Nothing matches.</div>}
      {naming && isTaken && (
        <div className={css.none} role="alert">
          There is a {create?.kind} “{text.trim()}” already. Choose another name.
        </div>
      )}
      {create && (isNew || invites) && (
        <CreateLine
          id={`${id}-${shown.length}`}
          create={create}
          text={isNew ? text.trim() : ''}
          color={color}
          onColor={setColor}
          active={active === shown.length}
          onHover={() => setAt(shown.length)}
          onPick={() => choose(shown.length)}
        />
      )}
      {footer && <Foot multiple={multiple} hasDone={onDone !== undefined} />}
    </div>
  )
}

interface LineProps {
  id: string
  option: Option
  active: boolean
  checked: boolean
  multiple: boolean | undefined
  digit: number | undefined
  onHover(): void
  onPick(): void
}

function Line({ id, option, active, checked, multiple, digit, onHover, onPick }: LineProps) {
  return (
    <button
      type="button"
      role="option"
      id={id}
      aria-selected={checked}
      tabIndex={-1}
      className={cx(css.line, active && css.active, option.divided && css.divided)}
      onMouseMove={onHover}
      // The focus stays in the field, so that typing goes on there.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onPick}
    >
      {multiple && <CheckMark checked={checked} />}
      {option.icon && <span className={css.icon}>{option.icon}</span>}
      <span className={css.label}>{option.label}</span>
      {!multiple && checked && <IconCheck size={16} className={css.check} />}
      {option.count !== undefined && <span className={css.count}>{option.count}</span>}
      {digit !== undefined && <Kbd keys={String(digit)} />}
    </button>
  )
}

const Foot = ({ multiple, hasDone }: { multiple: boolean | undefined; hasDone: boolean }) => (
  <div className={css.foot}>
    {!hasDone && (
      <span>
        <Kbd keys="up down" /> move
      </span>
    )}
    <span>
      <Kbd keys="enter" /> {multiple ? 'switch' : 'set'}
    </span>
    {hasDone && (
      <span>
        <Kbd keys="mod+enter" /> done
      </span>
    )}
    <Kbd keys="esc" />
  </div>
)
