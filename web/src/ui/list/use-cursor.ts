import { type RefObject, useRef, useState } from 'react'

/** What the keys need to know of a list. */
export interface ListHandle {
  /** The rows that somebody sees, from top to bottom. */
  idsInView(): string[]
  scrollToTop(): void
}

export interface Cursor {
  focusedId: string | undefined
  /** The row gets the focus as soon as it is drawn. */
  wantsFocus: RefObject<boolean>
}

interface Options {
  /** What is open beside the list has the cursor. */
  openId: string | undefined
  list: RefObject<ListHandle | null>
}

/**
 * The row that the keys act on. It starts at what somebody sees, and takes the place of a row that is gone.
 */
export function useCursor(ids: string[], { openId, list }: Options) {
  const [movedId, setFocusedId] = useState<string>()
  const wantsFocus = useRef(false)
  const place = useRef(0)
  const focusedId = openId ?? movedId
  const at = focusedId === undefined ? -1 : ids.indexOf(focusedId)
  if (at >= 0) place.current = at
  // What was open stays marked after it is closed.
  if (openId !== undefined && openId !== movedId) setFocusedId(openId)

  function step(by: 1 | -1): void {
    const seen = list.current?.idsInView() ?? []
    wantsFocus.current = true
    setFocusedId(ids[nextOf(seen, by)])
  }

  function nextOf(seen: string[], by: 1 | -1): number {
    const last = ids.length - 1
    if (at >= 0 && (seen.length === 0 || seen.includes(focusedId!))) return Math.max(0, Math.min(last, at + by))
    if (at < 0 && focusedId !== undefined)
      return Math.max(0, Math.min(last, by > 0 ? place.current : place.current - 1))
    return Math.max(0, ids.indexOf((by > 0 ? seen[0] : seen.at(-1)) ?? ''))
  }

  return { focusedId, wantsFocus, step, clear: () => setFocusedId(undefined) }
}
