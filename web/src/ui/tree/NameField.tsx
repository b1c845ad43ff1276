import { type ReactNode, useRef, useState } from 'react'
import css from './Tree.module.css'
import { indentOf } from './TreeLine.tsx'

interface Props {
  label: string
  icon: ReactNode
  depth: number
  value: string
  /** Called with nothing if it is given up. */
  onDone(title: string | undefined): void
}

/** A line while it is being named. */
export function NameField({ label, icon, depth, value, onDone }: Props) {
  const [text, setText] = useState(value)
  // Removing the field takes the focus from it, before the next drawing.
  const isOver = useRef(false)
  const finish = (title: string | undefined) => {
    if (isOver.current) return
    isOver.current = true
    onDone(title?.trim() || undefined)
  }
  return (
    <div className={css.node} style={indentOf(depth)} data-naming>
      <span className={css.sign}>{icon}</span>
      <input
        // biome-ignore lint/a11y/noAutofocus: the field opens on request
        autoFocus
        className={css.field}
        aria-label={label}
        placeholder="Title"
        maxLength={500}
        value={text}
        onFocus={(event) => event.target.select()}
        onChange={(event) => setText(event.target.value)}
        onBlur={() => finish(text)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.nativeEvent.isComposing) finish(text)
          else if (event.key === 'Escape') finish(undefined)
          event.stopPropagation()
        }}
      />
    </div>
  )
}
