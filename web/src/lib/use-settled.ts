import { useEffect, useState } from 'react'

const AFTER_MS = 120

/** The value once it has stopped changing. */
export function useSettled(value: string): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), AFTER_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
