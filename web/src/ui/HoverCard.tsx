import { HoverCard as Card } from '@mantine/core'
import type { ReactElement, ReactNode } from 'react'
import css from './PopUp.module.css'

const OPEN_AFTER_MS = 300

interface Props {
  /** A link or a button, which names the card. */
  children: ReactElement
  card: ReactNode
}

/** A card about something: after a moment under the pointer, or at once with the focus. Escape closes it. */
export const HoverCard = ({ children, card }: Props) => (
  <Card
    openDelay={OPEN_AFTER_MS}
    interactive
    position="bottom-start"
    transitionProps={{ duration: 0 }}
    classNames={{ dropdown: css.dropdown ?? '' }}
  >
    <Card.Target>{children}</Card.Target>
    <Card.Dropdown>{card}</Card.Dropdown>
  </Card>
)
