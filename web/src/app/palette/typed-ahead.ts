import { useLayoutEffect } from 'react'

let text = ''

/** What was typed while the palette was still being loaded. */
export function takeTyped(): string {
  const typed = text
  text = ''
  return typed
}

/** Takes the keys for the palette until its field has them, so that none is lost and none acts on the page. */
export function useTypeAhead(isOn: boolean, change: (next: (before: string) => string) => void): void {
  // At once, in the commit that takes the one before away: no key may fall between the two.
  useLayoutEffect(() => {
    if (!isOn) return undefined
    const take = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return
      if (event.key === 'Backspace') change((before) => before.slice(0, -1))
      else if (event.key.length === 1) change((before) => before + event.key)
      else return
      event.preventDefault()
      event.stopPropagation()
    }
    addEventListener('keydown', take, { capture: true })
    return () => removeEventListener('keydown', take, { capture: true })
  }, [isOn, change])
}

const keep = (next: (before: string) => string) => {
  text = next(text)
}

/** Stands in for the palette while it is loaded. */
export function TypeAhead() {
  // What an earlier one took, and nobody fetched.
  useLayoutEffect(() => void takeTyped(), [])
  useTypeAhead(true, keep)
  return null
}
