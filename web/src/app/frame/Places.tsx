import { useLocation } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { Dialog } from '../../ui/Dialog.tsx'
import css from './Sidebar.module.css'
import { SidebarParts } from './Sidebar.tsx'

/** The sidebar of a narrow screen. It closes when somebody goes to a place. */
export default function Places({ onClose }: { onClose(): void }) {
  const page = useLocation({ select: ({ href }) => href })
  const [first] = useState(page)
  useEffect(() => {
    if (page !== first) onClose()
  }, [page, first, onClose])
  return (
    <Dialog label="Places" width={420} onClose={onClose}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it listens for its links. */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: links turn keys into clicks. */}
      <div className={css.sheet} onClick={({ target }) => (target as Element).closest('a') && onClose()}>
        <SidebarParts />
      </div>
    </Dialog>
  )
}
