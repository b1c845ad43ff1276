import { useState } from 'react'
import type { Mode } from '../../editor/Editor.tsx'
import { remember, remembered } from '../../lib/storage.ts'

const MODES = new Set<string>(['editing', 'suggesting', 'viewing'])

/** What typing does in this document. The device remembers it. */
export function useMode(id: string): [Mode, (mode: Mode) => void] {
  const name = `document-mode-${id}`
  const [mode, setMode] = useState<Mode>(() => {
    const before = remembered(name) ?? ''
    return MODES.has(before) ? (before as Mode) : 'editing'
  })
  return [
    mode,
    (next) => {
      setMode(next)
      remember(name, next === 'editing' ? undefined : next)
    },
  ]
}
