import { type KeyboardEvent, useRef } from 'react'

const PAUSE_MS = 700

/** Typed letters go to the next line that begins with them. Returns whether the key was one of them. */
export function useTypeAhead(list: { current: HTMLElement | null }) {
  const typed = useRef({ text: '', at: 0 })
  return (event: KeyboardEvent): boolean => {
    const { timeStamp } = event
    const key = event.key.toLowerCase()
    if (key.length !== 1 || key === ' ' || event.ctrlKey || event.metaKey || event.altKey) return false
    const lines = [...list.current!.children] as HTMLElement[]
    const at = lines.indexOf(event.target as HTMLElement)
    const find = (text: string, from: number) =>
      [...lines.slice(from), ...lines.slice(0, from)].find((line) => line.textContent?.toLowerCase().startsWith(text))
    const isOn = timeStamp - typed.current.at < PAUSE_MS
    const longer = (isOn ? typed.current.text : '') + key
    // A letter that does not go on with the word begins another one, and the same letter again goes on to the next line.
    const found = longer.length > 1 ? find(longer, Math.max(0, at)) : undefined
    typed.current = { text: found ? longer : key, at: timeStamp }
    ;(found ?? find(key, at + 1))?.focus()
    return true
  }
}
