import type { ReactNode } from 'react'
import { copyText } from '../lib/copy-text.ts'
import { cx } from '../lib/cx.ts'
import { useShortcut } from '../lib/shortcuts.ts'
import { useSteadyOrder } from '../lib/use-steady-order.ts'
import css from './BesidePanel.module.css'
import { IconButton } from './Button.tsx'
import { IconArrowsMaximize, IconLink, IconX } from './icons.ts'
import { Steps } from './Steps.tsx'

interface Props {
  /** What it is called: WO-12. */
  name: string
  /** The address of its page. */
  path: string
  /** The ids of the list, in the order in which it shows them. */
  order: string[]
  /** False while more of the list is on its way. */
  isWhole: boolean
  id: string | undefined
  onGo(id: string): void
  onOpenPage(): void
  onClose(): void
  /** Stands before the name. */
  icon?: ReactNode
  /** More buttons at the end of the head. */
  tools?: ReactNode
  /** Leaves more room to the list. */
  isSmall?: boolean
  children: ReactNode
}

/** Something beside the list that it was opened from. */
export function BesidePanel(props: Props) {
  const { name, path, order, isWhole, id, onGo, onOpenPage, onClose, icon, tools, isSmall, children } = props
  const steady = useSteadyOrder(order, id, isWhole)
  const at = id === undefined ? -1 : steady.indexOf(id)
  useShortcut('back', onClose)
  useShortcut('open', onOpenPage)
  const step = (by: number) => {
    const next = at >= 0 ? steady[at + by] : undefined
    if (next) onGo(next)
  }
  const size = { size: 16, stroke: 1.75 }
  return (
    <aside className={cx(css.panel, isSmall && css.small)} aria-label={name}>
      <header className={css.head}>
        {icon}
        <strong>{name}</strong>
        <Steps at={at} total={steady.length} className={css.place} withKeys onStep={step} />
        <span className={css.grow} />
        {tools}
        <IconButton label="Copy link" small onClick={() => void copyText(`${location.origin}${path}`, 'Link copied')}>
          <IconLink {...size} />
        </IconButton>
        <IconButton label="Open as a page" small onClick={onOpenPage}>
          <IconArrowsMaximize {...size} />
        </IconButton>
        <IconButton label="Close (Esc)" small onClick={onClose}>
          <IconX {...size} />
        </IconButton>
      </header>
      {children}
    </aside>
  )
}
