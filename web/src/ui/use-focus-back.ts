import { useEffect, useRef } from 'react'

/** Closing gives the focus back to what had it before, unless it went on to something else. */
export function useFocusBack(): void {
  const before = useRef(document.activeElement as HTMLElement | null)
  useEffect(() => {
    // A menu that opens a dialog closes at the same moment, and has given the focus back by now.
    if (!before.current?.isConnected) before.current = document.activeElement as HTMLElement | null
    return () => {
      if (document.activeElement === document.body) before.current?.focus({ preventScroll: true })
    }
  }, [])
}
