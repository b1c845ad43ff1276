import { useEffect, useRef, useState } from 'react'
import type { Option } from './option.ts'

/** How long the pointer rests on a line before what belongs to it opens: the way to it may lead across other lines. */
const REST_MS = 150

/** What is open beside a line, and the pointer that rests on a line or goes across it. */
export function useSub(shown: Option[], list: { current: HTMLElement | null }, onClosed: () => void) {
  const [opened, setOpened] = useState<{ value: string; anchor: DOMRect }>()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const resting = useRef<number>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const stay = () => {
    clearTimeout(timer.current)
    resting.current = undefined
  }
  const open = (index: number) => {
    stay()
    const option = shown[index]
    const line = list.current?.children[index]
    if (option && line && option.value !== opened?.value)
      setOpened({ value: option.value, anchor: line.getBoundingClientRect() })
  }
  const close = () => {
    stay()
    if (!opened) return
    setOpened(undefined)
    onClosed()
  }
  const rest = (index: number) => {
    if (index === resting.current || !shown.some((one) => one.sub)) return
    clearTimeout(timer.current)
    resting.current = index
    timer.current = setTimeout(() => (shown[index]?.sub ? open(index) : close()), REST_MS)
  }
  return { opened, open, close, rest, stay }
}
