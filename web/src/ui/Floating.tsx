import { Popover, type PopoverProps } from '@mantine/core'
import { type ReactNode, type Ref, useEffect, useImperativeHandle, useState } from 'react'
import css from './PopUp.module.css'

/** Opens where most of it fits, over its button if need be, and scrolls what is longer than the screen. */
const FITS: NonNullable<PopoverProps['middlewares']> = {
  flip: { fallbackStrategy: 'bestFit', padding: 8 },
  shift: { crossAxis: true, padding: 8, limiter: { fn: ({ x, y }) => ({ x, y }) } },
  size: { padding: 8 },
}

export type Place = 'bottom-start' | 'bottom-end' | 'right-start' | 'top-start' | 'bottom'

export interface FloatingProps {
  /** What it stands beside. */
  anchor: Element | DOMRect
  onClose(): void
  children: ReactNode
  place?: Place | undefined
  /** The id of its button, which names it. */
  id?: string
  /** Opened from something that is open itself, and a part of it: a click in it is no click elsewhere. */
  nested?: boolean | undefined
}

/** What a pop-up shows while it is open. Closing gives the focus back, unless it went on to something else. */
export default function Floating({ anchor, onClose, children, place, id, nested = false }: FloatingProps) {
  const [before] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      if (document.activeElement === document.body) (before as HTMLElement | null)?.focus({ preventScroll: true })
    },
    [before],
  )
  return (
    <Popover
      opened
      onChange={(open) => !open && onClose()}
      position={place ?? 'bottom-start'}
      middlewares={FITS}
      offset={nested ? 2 : 6}
      withinPortal={!nested}
      floatingStrategy={nested ? 'fixed' : 'absolute'}
      trapFocus
      transitionProps={{ duration: 0 }}
      classNames={{ dropdown: css.dropdown ?? '' }}
      {...(id !== undefined && { id })}
    >
      <Popover.Target>{anchor instanceof Element ? <Standing at={anchor} /> : <Spot at={anchor} />}</Popover.Target>
      <Popover.Dropdown>{children}</Popover.Dropdown>
    </Popover>
  )
}

/** Tells the library about an element that is on the page already. */
function Standing({ at, ref }: { at: Element; ref?: Ref<Element> }) {
  useImperativeHandle(ref, () => at, [at])
  return null
}

const Spot = ({ at: { left, top, width, height }, ref }: { at: DOMRect; ref?: Ref<HTMLSpanElement> }) => (
  <span ref={ref} className={css.anchor} style={{ left, top, width, height }} />
)
