import { useRef, useState } from 'react'
import { useStore } from '../../lib/store.ts'
import { showToast } from '../../lib/toasts.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { IconChevronDown, IconChevronUp, IconLetterCase, IconRegex, IconX } from '../../ui/icons.ts'
import type { Editor } from '../create-editor.ts'
import css from './FindBar.module.css'

/** Finds words in the text, and replaces them. */
export function FindBar({ editor, mayReplace }: { editor: Editor; mayReplace: boolean }) {
  const { find } = editor
  const shown = useStore(find.state)
  const [replacement, setReplacement] = useState('')
  const field = useRef<HTMLInputElement>(null)
  if (!shown) return null
  const { query, count, active, fault } = shown
  const size = { size: 16, stroke: 1.75 }
  const toggle = (name: 'isCaseSensitive' | 'isRegex') => find.search({ ...query, [name]: !query[name] })
  const replaceAll = () => {
    const replaced = find.replaceAll(replacement)
    // The button may be off now, and would lose the focus.
    field.current?.focus()
    showToast({ text: replaced === 1 ? 'Replaced in one place' : `Replaced in ${replaced} places` })
  }
  return (
    <search
      className={css.bar}
      data-own-keys
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        find.close()
      }}
    >
      <div className={css.line}>
        <input
          // biome-ignore lint/a11y/noAutofocus: the bar opens on request
          autoFocus
          ref={field}
          className={css.field}
          aria-label="Find"
          aria-invalid={fault !== undefined}
          placeholder="Find"
          value={query.text}
          onFocus={(event) => event.target.select()}
          onChange={(event) => find.search({ ...query, text: event.target.value })}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            find.step(event.shiftKey ? -1 : 1)
          }}
        />
        <span className={css.count} role="status">
          {query.text === '' ? '' : count === 0 ? 'None' : `${active} of ${count}`}
        </span>
        <IconButton
          label="Match case"
          aria-pressed={query.isCaseSensitive}
          className={css.toggle}
          onClick={() => toggle('isCaseSensitive')}
        >
          <IconLetterCase {...size} />
        </IconButton>
        <IconButton
          label="Regular expression"
          aria-pressed={query.isRegex}
          className={css.toggle}
          onClick={() => toggle('isRegex')}
        >
          <IconRegex {...size} />
        </IconButton>
        <IconButton label="Previous" disabled={count === 0} onClick={() => find.step(-1)}>
          <IconChevronUp {...size} />
        </IconButton>
        <IconButton label="Next" disabled={count === 0} onClick={() => find.step(1)}>
          <IconChevronDown {...size} />
        </IconButton>
        <IconButton label="Close" onClick={find.close}>
          <IconX {...size} />
        </IconButton>
      </div>
      {fault && (
        <p className={css.fault} role="alert">
          {fault}
        </p>
      )}
      {mayReplace && (
        <div className={css.line}>
          <input
            className={css.field}
            aria-label="Replace with"
            placeholder="Replace with"
            value={replacement}
            onChange={(event) => setReplacement(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return
              event.preventDefault()
              find.replace(replacement)
            }}
          />
          <Button disabled={count === 0} onClick={() => find.replace(replacement)}>
            Replace
          </Button>
          <Button disabled={count === 0} onClick={replaceAll}>
            All
          </Button>
        </div>
      )}
    </search>
  )
}
