import { type RefObject, useEffect, useRef } from 'react'
import { useStable } from './use-stable.ts'

/** Calls `seen` when the element comes near the part of its list that is in view. */
export function useSeen<T extends Element>(seen: () => void): RefObject<T | null> {
  const element = useRef<T>(null)
  const on = useStable({ seen })
  useEffect(() => {
    if (!element.current) return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && on.seen(), {
      root: element.current.parentElement,
      rootMargin: '400px',
    })
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [on])
  return element
}
