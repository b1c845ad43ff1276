import { Popover, type PopoverProps } from '@mantine/core'
import { type KeyboardEvent, type ReactNode, type Ref, useImperativeHandle } from 'react'
import css from './PopUp.module.css'
import { useFocusBack } from './use-focus-back.ts'

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
  /** What is in it. A menu says itself what it is. */
  opens?: 'menu' | 'dialog'
  /** The id of its button, which names it. */
  id?: string
  /** Names it if there is no button. */
  label?: string
  /** Opened from something that is open itself, and a part of it: a click in it is no click elsewhere. */
  nested?: boolean | undefined
}

/** What a pop-up shows while it is open. */
export default function Floating(props: FloatingProps) {
  const { anchor, onClose, children, place, opens, id, label, nested = false } = props
  useFocusBack()
  const names =
    opens === 'menu'
      ? { role: undefined, 'aria-labelledby': undefined }
      : id === undefined && { 'aria-label': label, 'aria-labelledby': undefined }
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.nativeEvent.isComposing || event.defaultPrevented) return
    event.preventDefault()
    event.stopPropagation()
    onClose()
  }
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
      // The library would close the outer one too, because it sees the key first.
      closeOnEscape={false}
      transitionProps={{ duration: 0 }}
      classNames={{ dropdown: css.dropdown ?? '' }}
      {...(id !== undefined && { id })}
    >
      <Popover.Target>{anchor instanceof Element ? <Standing at={anchor} /> : <Spot at={anchor} />}</Popover.Target>
      <Popover.Dropdown {...names} onKeyDown={press}>
        {children}
      </Popover.Dropdown>
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
