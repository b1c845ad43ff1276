let go: ((href: string) => void) | undefined

/** The router says how to open an address. Others cannot import it, because it imports the screens. */
export const navigateBy = (open: (href: string) => void) => {
  go = open
}

/** For code outside the tree of components. */
export const openAddress = (href: string) => go?.(href)
