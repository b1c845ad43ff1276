import { useRef, useState } from 'react'

/** The same functions for as long as the component lives, which call the latest ones. Lets many rows be drawn only once. */
export function useStable<T extends object>(handlers: T): T {
  const latest = useRef(handlers)
  latest.current = handlers
  const [stable] = useState(() => {
    const call =
      (name: string) =>
      (...args: unknown[]) =>
        (latest.current as Record<string, (...args: unknown[]) => unknown>)[name]?.(...args)
    return Object.fromEntries(Object.keys(handlers).map((name) => [name, call(name)])) as T
  })
  return stable
}
