import { useEffect, useState } from 'react'
import { remember, remembered } from './storage.ts'

/** What is open in a tree, also after a reload. */
export function useRememberedSet(name: string) {
  const [value, setValue] = useState<ReadonlySet<string>>(() => new Set(remembered(name)?.split(',').filter(Boolean)))
  useEffect(() => void remember(name, [...value].join()), [name, value])
  return [value, setValue] as const
}
