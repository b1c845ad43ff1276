let count = 0

/** Returns the number of requests so far. Background work checks it and yields while requests are being served. */
export const arrivals = () => count

export const noteArrival = () => {
  count++
}
