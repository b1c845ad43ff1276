import { useEffect, useRef, useState } from 'react'
import { useShortcut } from '../../lib/shortcuts.ts'
import { useSettled } from '../../lib/use-settled.ts'
import { IconRegex, IconSearch } from '../../ui/icons.ts'
import css from './SearchField.module.css'

/** Searches titles and what was said, by a regular expression. */
export function SearchField({ value, onChange }: { value: string; onChange(q: string): void }) {
  const [text, setText] = useState(value)
  const field = useRef<HTMLInputElement>(null)
  const settled = useSettled(text)
  const known = useRef(value)
  // The way back has other words.
  useEffect(() => {
    if (value !== known.current) setText(value)
    known.current = value
  }, [value])
  useEffect(() => {
    if (settled === known.current) return
    known.current = settled
    onChange(settled)
  }, [settled, onChange])
  useShortcut('search', () => field.current?.focus())
  return (
    <div className={css.search}>
      <span className={css.box}>
        <IconSearch size={16} stroke={1.75} />
        <input
          ref={field}
          type="search"
          aria-label="Search titles and text"
          placeholder="Search titles and text"
          maxLength={200}
          value={text}
          onChange={({ target }) => setText(target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return
            event.stopPropagation()
            setText('')
            event.currentTarget.blur()
          }}
        />
        <span title="A regular expression, ignoring case">
          <IconRegex size={16} stroke={1.75} />
        </span>
      </span>
    </div>
  )
}
