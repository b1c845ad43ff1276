import { useEffect, useRef, useState } from 'react'

/** How long the pointer rests on a line before what belongs to it opens: the way to it may lead across other lines. */
const REST_MS = 150

/** What is open beside a line, and the pointer that rests on a line or goes across it. */
export function useSub() {
  const [opened, setOpened] = useState<{ value: string; line: HTMLElement; anchor: DOMRect }>()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const resting = useRef<string>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const stay = () => {
    clearTimeout(timer.current)
    resting.current = undefined
  }
  const open = (value: string, line: HTMLElement) => {
    stay()
    if (value !== opened?.value) setOpened({ value, line, anchor: line.getBoundingClientRect() })
  }
  const close = () => {
    stay()
    opened?.line.focus({ preventScroll: true })
    setOpened(undefined)
  }
  const rest = (value: string, line: HTMLElement, opens: boolean) => {
    if (value === resting.current) return
    clearTimeout(timer.current)
    resting.current = value
    timer.current = setTimeout(() => (opens ? open(value, line) : setOpened(undefined)), REST_MS)
  }
  return { opened, open, close, rest, stay }
}
