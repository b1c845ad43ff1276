import { useState } from 'react'
import { IconButton } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { IconSearch, IconX } from '../ui/icons.ts'
import { Kbd } from '../ui/Kbd.tsx'
import css from './ShortcutSheet.module.css'
import { SHORTCUTS } from './shortcuts.ts'

const GROUPS = ['Anywhere', 'Go to', 'Lists', 'Documents'] as const

export default function ShortcutSheet({ onClose }: { onClose(): void }) {
  const [text, setText] = useState('')
  const wanted = text.trim().toLowerCase()
  return (
    <Dialog label="Keyboard shortcuts" width={652} onClose={onClose}>
      <header className={css.head}>
        <h2 className={css.title}>Keyboard shortcuts</h2>
        <Kbd keys="?" />
        <label className={css.search}>
          <IconSearch size={15} stroke={1.75} />
          <input
            data-autofocus
            placeholder="Find a shortcut"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </label>
        <IconButton label="Close" onClick={onClose}>
          <IconX size={17} stroke={1.75} />
        </IconButton>
      </header>
      <div className={css.columns}>
        {GROUPS.map((group) => (
          <section key={group} className={css.column}>
            <h3 className={css.group}>{group}</h3>
            {SHORTCUTS.filter((one) => one.group === group && one.name.toLowerCase().includes(wanted)).map((one) => (
              <div key={one.id} className={css.line}>
                {one.name}
                <Kbd keys={one.keys === 'escape' ? 'esc' : one.keys} />
              </div>
            ))}
          </section>
        ))}
      </div>
    </Dialog>
  )
}
