import type { ReactNode } from 'react'
import { createStore, useStore } from '../lib/store.ts'
import { AnchoredPopUp } from './PopUp.tsx'

interface Opened {
  anchor: DOMRect
  label: string
  draw(close: () => void): ReactNode
}

const opened = createStore<Opened | undefined>(undefined)
const close = () => opened.set(undefined)

/** Opens a list beside an element, for whoever has no button of their own: shortcuts, cells of a table, bars. */
export const openPicker = (beside: Element, label: string, draw: Opened['draw']) =>
  opened.set({ anchor: beside.getBoundingClientRect(), label, draw })

/** The one list that `openPicker` opens. */
export function OpenPicker() {
  const shown = useStore(opened)
  if (!shown) return null
  return (
    <AnchoredPopUp label={shown.label} anchor={shown.anchor} onClose={close}>
      {shown.draw(close)}
    </AnchoredPopUp>
  )
}
