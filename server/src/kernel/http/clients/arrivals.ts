let count = 0

/** How many requests have come so far. Work in the background looks at it, to step aside while others are served. */
export const arrivals = () => count

export const noteArrival = () => {
  count++
}
