import { createScopedKeydownHandler } from '@mantine/core'
import { type KeyboardEvent, type ReactElement, useRef } from 'react'
import { cx } from '../lib/cx.ts'
import { namesOf } from '../lib/shortcuts.ts'
import { CheckMark } from './Checkbox.tsx'
import type { Place } from './Floating.tsx'
import { IconCheck, IconChevronRight } from './icons.ts'
import { Kbd } from './Kbd.tsx'
import css from './Menu.module.css'
import type { MenuLine } from './option.ts'
import lines from './Pick.module.css'
import { AnchoredPopUp, PopUp } from './PopUp.tsx'
import { useSub } from './use-sub.ts'
import { useTypeAhead } from './use-type-ahead.ts'

export type { MenuLine }

interface ListProps {
  /** What the menu is for. */
  label: string
  /** Shown above the lines. */
  heading?: string | undefined
  options: MenuLine[]
  /** The menu closes first, unless the line is a checkbox. */
  onPick(value: string): void
}

interface ButtonProps extends ListProps {
  target: (props: { open: boolean; toggle(): void }) => ReactElement
  place?: Place | undefined
}

/** A button with a menu of what can be done. To choose a value, use `Pick`. */
export const MenuButton = ({ target, place, ...list }: ButtonProps) => (
  <PopUp opens="menu" target={target} place={place}>
    {(close) => <List {...list} onClose={close} />}
  </PopUp>
)

interface AnchoredProps extends ListProps {
  anchor: DOMRect
  onClose(): void
}

/** The same menu, beside a place on the page. */
export const AnchoredMenu = ({ anchor, onClose, ...list }: AnchoredProps) => (
  <AnchoredPopUp opens="menu" label={list.label} anchor={anchor} onClose={onClose}>
    <List {...list} onClose={onClose} />
  </AnchoredPopUp>
)

const moveFocus = createScopedKeydownHandler({
  parentSelector: '[role="menu"]',
  siblingSelector: '[role^="menuitem"]',
  orientation: 'vertical',
  dir: 'ltr',
})

/*
 * Mantine's Menu puts what opens beside a line inside the element of the menu, where a list of values is not allowed. Only
 * its arrow keys are used here.
 */
function List({ label, heading, options, onPick, onClose }: ListProps & { onClose(): void }) {
  const list = useRef<HTMLDivElement>(null)
  const sub = useSub()
  const typeAhead = useTypeAhead(list)
  const opened = options.find(({ value }) => value === sub.opened?.value)
  const choose = (option: MenuLine, line: HTMLElement) => {
    if (opensMore(option)) return sub.open(option.value, line)
    if (option.check !== 'checkbox') onClose()
    onPick(option.value)
  }
  const press = (event: KeyboardEvent) => {
    const lines = [...list.current!.children] as HTMLElement[]
    const name = namesOf(event.nativeEvent)
    // The keys that a line shows do what they do outside of the menu. Enter chooses the line that has the focus.
    const shown = name === 'enter' ? -1 : options.findIndex(({ keys }) => keys === name)
    const at = event.key === 'ArrowRight' ? lines.indexOf(event.target as HTMLElement) : shown
    if (event.key === 'Tab') onClose()
    else if (options[at] && (at === shown || opensMore(options[at]))) choose(options[at], lines[at]!)
    else if (!typeAhead(event)) return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div data-own-keys>
      {heading && <p className={css.heading}>{heading}</p>}
      <div ref={list} role="menu" tabIndex={-1} aria-label={label} className={css.list} onKeyDown={press}>
        {options.map((option, index) => (
          <Line
            key={option.value}
            option={option}
            isFirst={index === 0}
            isOpen={option === opened}
            onHover={(line) => {
              if (option !== opened) line.focus({ preventScroll: true })
              sub.rest(option.value, line, opensMore(option))
            }}
            onPick={(line) => choose(option, line)}
          />
        ))}
      </div>
      {sub.opened && opened && (
        <AnchoredPopUp
          nested
          opens={opened.more ? 'menu' : 'dialog'}
          label={opened.label}
          place="right-start"
          anchor={sub.opened.anchor}
          onClose={sub.close}
        >
          {/* biome-ignore lint/a11y/noStaticElementInteractions: it is the way back from the list in it. */}
          <div
            onMouseEnter={sub.stay}
            onKeyDown={(event) => {
              if (event.key !== 'ArrowLeft' || (event.target as HTMLInputElement).value) return
              event.preventDefault()
              sub.close()
            }}
          >
            {opened.more ? (
              <List
                label={opened.label}
                options={opened.more}
                onClose={sub.close}
                onPick={(value) => {
                  onClose()
                  onPick(value)
                }}
              />
            ) : (
              opened.values?.()
            )}
          </div>
        </AnchoredPopUp>
      )}
    </div>
  )
}

const opensMore = ({ more, values }: MenuLine) => (more ?? values) !== undefined

interface LineProps {
  option: MenuLine
  isFirst: boolean
  isOpen: boolean
  onHover(line: HTMLElement): void
  onPick(line: HTMLElement): void
}

function Line({ option, isFirst, isOpen, onHover, onPick }: LineProps) {
  const { label, icon, divided, danger, keys, check, checked = false, more } = option
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: a line that shows a state has a role that supports it.
    <button
      type="button"
      role={check ? `menuitem${check}` : 'menuitem'}
      aria-checked={check && checked}
      aria-haspopup={opensMore(option) ? (more ? 'menu' : 'dialog') : undefined}
      aria-expanded={opensMore(option) ? isOpen : undefined}
      tabIndex={-1}
      // biome-ignore lint/a11y/noAutofocus: the menu opens on request, and its keys work at once.
      autoFocus={isFirst}
      // Says the same to the trap of the pop-up.
      data-autofocus={isFirst || undefined}
      className={cx(lines.line, css.line, divided && lines.divided, danger && css.danger)}
      onMouseMove={(event) => onHover(event.currentTarget)}
      onMouseDown={(event) => event.preventDefault()}
      onClick={(event) => onPick(event.currentTarget)}
      onKeyDown={moveFocus}
    >
      {check === 'checkbox' && <CheckMark checked={checked} />}
      {icon && <span className={lines.icon}>{icon}</span>}
      <span className={lines.label}>{label}</span>
      {check === 'radio' && checked && <IconCheck size={16} className={lines.check} />}
      {keys && <Kbd keys={keys} />}
      {opensMore(option) && <IconChevronRight size={14} stroke={1.75} className={css.more} />}
    </button>
  )
}
