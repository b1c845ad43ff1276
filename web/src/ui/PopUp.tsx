import { Popover, type PopoverProps } from '@mantine/core'
import type { ReactElement, ReactNode } from 'react'
import { useEffect, useState } from 'react'
import { useKeys } from '../lib/shortcuts.ts'
import css from './PopUp.module.css'

/** Opens where most of it fits, over its button if need be, and scrolls what is longer than the screen. */
const FITS: NonNullable<PopoverProps['middlewares']> = {
  flip: { fallbackStrategy: 'bestFit', padding: 8 },
  shift: { crossAxis: true, padding: 8, limiter: { fn: ({ x, y }) => ({ x, y }) } },
  size: { padding: 8 },
}

type Place = 'bottom-start' | 'bottom-end' | 'right-start' | 'top-start' | 'bottom'

interface Props {
  target: (props: { open: boolean; toggle(): void }) => ReactElement
  /** Closing gives the focus back to the button, unless it went on to something else. */
  children: (close: (options?: { keepFocus?: boolean }) => void) => ReactNode
  place?: Place
  /** Opens it as its button would. */
  shortcut?: string
}

/** Something that opens beside its button and closes on Escape or a click elsewhere. */
export function PopUp({ target, children, place = 'bottom-start', shortcut }: Props) {
  const [open, setOpen] = useState(false)
  const [returnFocus, setReturnFocus] = useState(true)
  const close = ({ keepFocus = false } = {}) => {
    setReturnFocus(!keepFocus)
    setOpen(false)
  }
  const toggle = () => {
    setReturnFocus(true)
    setOpen(!open)
  }
  useKeys(shortcut ?? 'open', shortcut === undefined ? undefined : () => setOpen(true), { inDialog: true })
  return (
    <Popover
      opened={open}
      onChange={setOpen}
      position={place}
      middlewares={FITS}
      offset={6}
      trapFocus
      returnFocus={returnFocus}
      transitionProps={{ duration: 80, transition: 'pop-top-left' }}
      classNames={{ dropdown: css.dropdown ?? '' }}
    >
      <Popover.Target>{target({ open, toggle })}</Popover.Target>
      <Popover.Dropdown>{children(close)}</Popover.Dropdown>
    </Popover>
  )
}

interface AnchoredProps {
  anchor: DOMRect | undefined
  onClose(): void
  children: ReactNode
  place?: Place
  /** Opened from something that is open itself, and a part of it: a click in it is no click elsewhere. */
  nested?: boolean
}

/** The same, beside a place on the page rather than a button of its own. */
export function AnchoredPopUp({ anchor, onClose, children, place = 'bottom-start', nested = false }: AnchoredProps) {
  // It has no button that could get the focus back, so what had it before does.
  const [before] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      if (document.activeElement === document.body) (before as HTMLElement | null)?.focus({ preventScroll: true })
    },
    [before],
  )
  if (!anchor) return null
  const box = { left: anchor.left, top: anchor.top, width: anchor.width, height: anchor.height }
  return (
    <Popover
      opened
      onChange={(open) => !open && onClose()}
      position={place}
      middlewares={FITS}
      offset={nested ? 2 : 6}
      withinPortal={!nested}
      floatingStrategy={nested ? 'fixed' : 'absolute'}
      trapFocus
      transitionProps={{ duration: 0 }}
      classNames={{ dropdown: css.dropdown ?? '' }}
    >
      <Popover.Target>
        <span className={css.anchor} style={box} />
      </Popover.Target>
      <Popover.Dropdown>{children}</Popover.Dropdown>
    </Popover>
  )
}
