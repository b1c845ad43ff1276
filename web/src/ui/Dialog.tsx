import { Modal } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'
import { type ReactNode, useRef } from 'react'
import css from './Dialog.module.css'
import { useFocusBack } from './use-focus-back.ts'

interface Props {
  label: string
  width: number
  top?: number
  onClose(): void
  children: ReactNode
}

/** A panel above the page. Escape and a click beside it close it. */
export function Dialog({ label, width, top = 116, onClose, children }: Props) {
  const panel = useRef<HTMLDivElement>(null)
  useFocusBack()
  // The library would close it for every Escape, also for one that is meant for a list or menu that is open in it.
  useWindowEvent('keydown', (event) => {
    if (event.key !== 'Escape' || event.isComposing || event.defaultPrevented) return
    const nearest = (event.target as Element).closest?.('[role="dialog"], [role="menu"]')
    if (!nearest || nearest === panel.current) onClose()
  })
  return (
    <Modal.Root
      opened
      onClose={onClose}
      closeOnEscape={false}
      size={width}
      yOffset={top}
      // Its library would write a style element, which the policy of the page forbids. The body does not scroll.
      lockScroll={false}
      transitionProps={{ duration: 90, transition: 'fade' }}
      classNames={{ overlay: css.overlay ?? '', inner: css.inner ?? '', content: css.content ?? '' }}
    >
      <Modal.Overlay />
      <Modal.Content ref={panel} aria-label={label}>
        {children}
      </Modal.Content>
    </Modal.Root>
  )
}
