import { HoverCard as Card } from '@mantine/core'
import { cloneElement, type FocusEvent, type ReactElement, type ReactNode, useState } from 'react'
import css from './PopUp.module.css'

const OPEN_AFTER_MS = 300

interface Props {
  /** A link or a button, which names the card. */
  children: ReactElement<object>
  card: ReactNode
}

/** A card about something: after a moment under the pointer, or for as long as it has the focus. Escape closes it. */
export function HoverCard({ children, card }: Props) {
  const [hasFocus, setFocus] = useState(false)
  const followed = {
    onFocus: ({ currentTarget }: FocusEvent) => setFocus(currentTarget.matches(':focus-visible')),
    onBlur: () => setFocus(false),
  }
  return (
    <Card
      openDelay={OPEN_AFTER_MS}
      // The pointer would close it when it leaves.
      events={{ hover: !hasFocus }}
      interactive
      position="bottom-start"
      transitionProps={{ duration: 0 }}
      classNames={{ dropdown: css.dropdown ?? '' }}
    >
      <Card.Target>{cloneElement(children, followed)}</Card.Target>
      <Card.Dropdown>{card}</Card.Dropdown>
    </Card>
  )
}
