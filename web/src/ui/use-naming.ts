import { type KeyboardEvent, useRef, useState } from 'react'

/** What a field for a name needs. Enter saves, Escape gives it up, and so does an empty name. */
export function useNaming(value: string, onDone: (name: string | undefined, before: string) => void) {
  // Somebody else may rename it while the field is open. The person replaces the name that they saw.
  const [before] = useState(value)
  const [text, setText] = useState(value)
  // Removing the field takes the focus from it, before the next drawing.
  const isOver = useRef(false)
  const finish = (name: string | undefined) => {
    if (isOver.current) return
    isOver.current = true
    onDone(name?.trim() || undefined, before)
  }
  return {
    autoFocus: true,
    maxLength: 500,
    value: text,
    onChange: ({ target }: { target: HTMLInputElement }) => setText(target.value),
    onBlur: () => finish(text),
    onKeyDown(event: KeyboardEvent) {
      if (event.key === 'Enter' && !event.nativeEvent.isComposing) finish(text)
      else if (event.key === 'Escape') finish(undefined)
      event.stopPropagation()
    },
  }
}
