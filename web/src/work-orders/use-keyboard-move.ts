import { type FocusEvent, type KeyboardEvent, useCallback, useRef, useState } from 'react'
import { MOVES } from './moves.ts'

interface Lifted<T> {
  item: T
  from: string
  place: string
}

interface Options<T> {
  /** Where things can go, in the order of the arrow keys. */
  places: readonly string[]
  keys: { back: 'ArrowLeft' | 'ArrowUp'; forth: 'ArrowRight' | 'ArrowDown' }
  nameOf(item: T): string
  placeName(place: string): string
  onDrop(item: T, place: string): void
}

/**
 * Moves something with the keyboard: Space lifts it, arrows choose a place, Space or Enter drops it, Escape puts it
 * back. Each key acts on what the last one left, however fast they come, because no key waits for a measurement.
 */
export function useKeyboardMove<T extends { id: string }>(options: Options<T>) {
  const [lifted, setLifted] = useState<Lifted<T>>()
  /** For assistive technology. */
  const [message, setMessage] = useState('')
  const latest = useRef({ options, lifted })
  latest.current = { options, lifted }

  const press = useCallback((event: KeyboardEvent, item: T, from: string) => {
    const { options, lifted } = latest.current
    const { places, keys, nameOf, placeName, onDrop } = options
    const set = (next: Lifted<T> | undefined, text: string) => {
      latest.current.lifted = next
      setLifted(next)
      setMessage(text)
    }
    if (!lifted || lifted.item.id !== item.id) {
      if (event.key !== ' ') return
      set({ item, from, place: from }, `${MOVES.lifted(nameOf(item))} Arrow keys move it.`)
    } else if (event.key === keys.back || event.key === keys.forth) {
      const at = places.indexOf(lifted.place) + (event.key === keys.forth ? 1 : -1)
      const place = places[at]
      if (place !== undefined) set({ ...lifted, place }, MOVES.over(nameOf(item), placeName(place)))
    } else if (event.key === ' ' || event.key === 'Enter') {
      set(undefined, MOVES.dropped(nameOf(item), placeName(lifted.place)))
      if (lifted.place !== lifted.from) onDrop(lifted.item, lifted.place)
    } else if (event.key === 'Escape') set(undefined, MOVES.back(nameOf(item)))
    else return
    event.preventDefault()
    event.stopPropagation()
  }, [])

  /** Leaving puts it back. An element that is moved in the page loses the focus to nothing, which is not leaving. */
  const leave = useCallback((event: FocusEvent) => {
    if (event.relatedTarget && latest.current.lifted) setLifted(undefined)
  }, [])
  return { lifted, message, press, leave }
}
