import { Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import css from './Dialog.module.css'

interface Props {
  label: string
  width: number
  top?: number
  onClose(): void
  children: ReactNode
}

/** A panel above the page. Escape and a click beside it close it. */
export function Dialog({ label, width, top = 116, onClose, children }: Props) {
  return (
    <Modal.Root
      opened
      onClose={onClose}
      size={width}
      yOffset={top}
      // Its library would write a style element, which the policy of the page forbids. The body does not scroll.
      lockScroll={false}
      transitionProps={{ duration: 90, transition: 'fade' }}
      classNames={{ overlay: css.overlay ?? '', content: css.content ?? '' }}
    >
      <Modal.Overlay />
      <Modal.Content aria-label={label} __vars={{ '--dialog-top': `${top}px` }}>
        {children}
      </Modal.Content>
    </Modal.Root>
  )
}
