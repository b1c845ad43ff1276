import { useEffect, useState } from 'react'

const EVERY_MS = 1_000

/** The time, which goes on each second while something runs. */
export function useNow(isRunning: boolean): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (!isRunning) return
    const timer = setInterval(() => setNow(Date.now()), EVERY_MS)
    return () => clearInterval(timer)
  }, [isRunning])
  return now
}
