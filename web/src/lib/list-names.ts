const list = new Intl.ListFormat('en-GB')
const MAX_NAMES = 3

/** "Ada", "Ada and Grace", "Ada, Grace and Lin", "Ada, Grace and 2 more". */
export function listNames(names: string[]): string {
  if (names.length <= MAX_NAMES) return list.format(names)
  const shown = names.slice(0, MAX_NAMES - 1)
  return list.format([...shown, `${names.length - shown.length} more`])
}
