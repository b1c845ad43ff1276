import type { KeyboardEvent } from 'react'
import { useShortcut } from './shortcuts.ts'

/** Everything that can have the focus in a view, by column or lane. */
const placesIn = (view: ParentNode): HTMLElement[][] => {
  const places = [...view.querySelectorAll('[data-place]')]
  return places
    .map((place) => [...place.querySelectorAll<HTMLElement>('[data-row]')])
    .filter(({ length }) => length > 0)
}

/** A card has the focus itself, a row in its link. */
const focus = (row: HTMLElement | undefined) => (row?.matches('[tabindex]') ? row : row?.querySelector('a'))?.focus()

const focusedIn = (all: HTMLElement[]) => all.findIndex((one) => one.contains(document.activeElement))

/** `j` and `k` go through the cards of a view from place to place. With nothing in focus, they begin at the first. */
export function useCardKeys(): void {
  const step = (by: 1 | -1) => () => {
    const all = placesIn(document).flat()
    const at = focusedIn(all)
    const next = at === -1 ? all[0] : all[at + by]
    focus(next)
  }
  useShortcut('next', step(1))
  useShortcut('previous', step(-1))
}

const ACROSS: Record<string, 1 | -1 | undefined> = { ArrowLeft: -1, ArrowRight: 1 }
const ALONG: Record<string, 1 | -1 | undefined> = { ArrowUp: -1, ArrowDown: 1 }

/** The arrows go along a column, and across to the card of the next column that is nearest. */
export function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey || event.shiftKey) return
  const [across, along] = [ACROSS[event.key], ALONG[event.key]]
  if (!across && !along) return
  const columns = placesIn(event.currentTarget)
  const at = columns.findIndex((cards) => focusedIn(cards) !== -1)
  const cards = columns[at]
  if (!cards) return
  const own = focusedIn(cards)
  const top = (card: HTMLElement) => card.getBoundingClientRect().top
  const next = along ? cards[own + along] : columns[at + across!]?.toSorted((a, b) => distance(a) - distance(b))[0]
  function distance(card: HTMLElement) {
    return Math.abs(top(card) - top(cards![own]!))
  }
  if (!next) return
  event.preventDefault()
  focus(next)
}
