import { useState } from 'react'
import { listShortcuts } from '../lib/shortcuts.ts'
import { IconButton } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { IconSearch, IconX } from '../ui/icons.ts'
import { Kbd } from '../ui/Kbd.tsx'
import { useAllModules } from './loaded-modules.ts'
import css from './ShortcutSheet.module.css'

/** Each group that a module adds goes below the shortest column. */
function columnsOf(groups: string[]): string[][] {
  const columns = [['Anywhere'], ['Go to'], ['Lists']]
  const heightOf = (column: string[]) => column.reduce((sum, group) => sum + linesOf(group, '').length + 1, 0)
  for (const group of groups.filter((one) => !columns.flat().includes(one)))
    columns.reduce((one, other) => (heightOf(other) < heightOf(one) ? other : one)).push(group)
  return columns
}

/** The lines of a group whose name has the words, each with its keys. */
function linesOf(group: string, wanted: string): [string, string][] {
  const lines = new Map<string, string[]>()
  for (const one of listShortcuts()) {
    if (one.group !== group) continue
    const name = one.line ?? one.name
    const keys = one.keys === 'escape' ? 'esc' : one.keys
    lines.set(name, [...(lines.get(name) ?? []), keys])
  }
  return [...lines]
    .filter(([name]) => name.toLowerCase().includes(wanted))
    .map(([name, keys]) => [name, keys.join(' ')])
}

export default function ShortcutSheet({ onClose }: { onClose(): void }) {
  const [text, setText] = useState('')
  const wanted = text.trim().toLowerCase()
  // Each module brings its own.
  useAllModules()
  const columns = columnsOf([...new Set(listShortcuts().map(({ group }) => group))])
  return (
    <Dialog label="Keyboard shortcuts" width={800} onClose={onClose}>
      <header className={css.head}>
        <h2 className={css.title}>Keyboard shortcuts</h2>
        <Kbd keys="?" />
        <label className={css.search}>
          <IconSearch size={15} stroke={1.75} />
          <input
            data-autofocus
            aria-label="Find a shortcut"
            placeholder="Find a shortcut"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </label>
        <IconButton label="Close" onClick={onClose}>
          <IconX size={17} stroke={1.75} />
        </IconButton>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, by keys too */}
      <section className={css.columns} tabIndex={0} aria-label="All shortcuts">
        {columns.map((groups) => (
          <div key={groups[0]} className={css.column}>
            {groups.map((group) => (
              <Group key={group} name={group} lines={linesOf(group, wanted)} />
            ))}
          </div>
        ))}
        {columns.flat().every((group) => linesOf(group, wanted).length === 0) && (
          <p className={css.none}>No shortcut has this name.</p>
        )}
      </section>
    </Dialog>
  )
}

function Group({ name: group, lines }: { name: string; lines: [string, string][] }) {
  if (lines.length === 0) return null
  return (
    <section className={css.part}>
      <h3 className={css.group}>{group}</h3>
      {lines.map(([name, keys]) => (
        <div key={name} className={css.line}>
          {name}
          <Kbd keys={keys} />
        </div>
      ))}
    </section>
  )
}
