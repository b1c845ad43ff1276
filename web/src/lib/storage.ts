/** What this device remembers. A browser that forbids storage forgets at once. */
export const remembered = (name: string): string | undefined => {
  try {
    return localStorage.getItem(`slipway-${name}`) ?? undefined
  } catch {
    return undefined
  }
}

/** Returns false if there is no room for it. */
export function remember(name: string, value: string | undefined): boolean {
  try {
    if (value === undefined) localStorage.removeItem(`slipway-${name}`)
    else localStorage.setItem(`slipway-${name}`, value)
    return true
  } catch {
    return value === undefined
  }
}
