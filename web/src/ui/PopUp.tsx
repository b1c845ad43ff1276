import { cloneElement, type ReactElement, type ReactNode, Suspense, useId, useState } from 'react'
import { lazyAhead } from '../lib/lazy-ahead.tsx'
import { useKeys } from '../lib/shortcuts.ts'
import { OverlayBoundary } from './Boundary.tsx'
import type { FloatingProps, Place } from './Floating.tsx'

const { Part: Floating, loadAhead } = lazyAhead<FloatingProps>(() => import('./Floating.tsx'))
export const loadPopUps = loadAhead

const loadSoon = () => void loadPopUps().catch(() => {})

interface Props {
  target: (props: { open: boolean; toggle(): void }) => ReactElement
  children: (close: () => void) => ReactNode
  opens?: 'menu' | 'dialog'
  place?: Place | undefined
  /** Opens it as its button would. */
  shortcut?: string
}

/** Something that opens beside its button and closes on Escape or a click elsewhere. */
export function PopUp({ target, children, opens = 'dialog', place, shortcut }: Props) {
  const id = useId()
  const [open, setOpen] = useState(false)
  const [button, setButton] = useState<Element | null>(null)
  const close = () => setOpen(false)
  useKeys(shortcut ?? 'open', shortcut === undefined ? undefined : () => setOpen(true), { inDialog: true })
  const itself = {
    id,
    ref: setButton,
    'aria-haspopup': opens,
    'aria-expanded': open,
    'aria-controls': open ? `${id}-dropdown` : undefined,
    onPointerEnter: loadSoon,
  }
  return (
    <>
      {cloneElement(target({ open, toggle: () => setOpen(!open) }) as ReactElement<object>, itself)}
      {open && button && (
        <Shown id={id} anchor={button} opens={opens} place={place} onClose={close}>
          {children(close)}
        </Shown>
      )}
    </>
  )
}

interface AnchoredProps extends Omit<FloatingProps, 'anchor' | 'id'> {
  anchor: DOMRect | undefined
  /** What it is called, since no button names it. */
  label: string
}

/** The same, beside a place on the page rather than a button. */
export const AnchoredPopUp = ({ anchor, ...rest }: AnchoredProps) => anchor && <Shown anchor={anchor} {...rest} />

const Shown = (props: FloatingProps) => (
  <OverlayBoundary of="pop-up">
    <Suspense>
      <Floating {...props} />
    </Suspense>
  </OverlayBoundary>
)
