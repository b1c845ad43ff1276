/** The query of an address, as plain text: `?status=ready,blocked`, without quotes and brackets. */
export const parseSearch = (text: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(text.replace(/^\?/, '')))

export function stringifySearch(search: Record<string, unknown>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(search))
    if (value !== undefined && value !== null && value !== '') query.set(name, String(value))
  const text = query.toString().replaceAll('%2C', ',').replaceAll('%21', '!')
  return text === '' ? '' : `?${text}`
}
