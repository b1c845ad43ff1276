/** What this device remembers. A browser that forbids storage forgets at once. */
export const remembered = (name: string): string | undefined => {
  try {
    return localStorage.getItem(`slipway-${name}`) ?? undefined
  } catch {
    return undefined
  }
}

export function remember(name: string, value: string | undefined): void {
  try {
    if (value === undefined) localStorage.removeItem(`slipway-${name}`)
    else localStorage.setItem(`slipway-${name}`, value)
  } catch {}
}
