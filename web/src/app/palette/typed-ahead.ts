import { useEffect } from 'react'

let text = ''

/** What was typed while the palette was still being loaded. */
export const typedAhead = () => text
export const forgetTyped = () => {
  text = ''
}

/** Takes the keys for the palette until it is there, so that none is lost and none acts on the page. */
export function TypeAhead() {
  useEffect(() => {
    const take = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return
      if (event.key === 'Backspace') text = text.slice(0, -1)
      else if (event.key.length === 1) text += event.key
      else return
      event.preventDefault()
      event.stopPropagation()
    }
    addEventListener('keydown', take, { capture: true })
    return () => removeEventListener('keydown', take, { capture: true })
  }, [])
  return null
}
