/** What a key does to a list of options: the option that becomes active, one that is picked, or the end of the list. */
export function keyInList(key: string, active: number, count: number): number | 'pick' | 'close' | undefined {
  if (key === 'Escape') return 'close'
  if (count === 0) return undefined
  if (key === 'ArrowDown') return (active + 1) % count
  if (key === 'ArrowUp') return (active - 1 + count) % count
  return key === 'Enter' || key === 'Tab' ? 'pick' : undefined
}
