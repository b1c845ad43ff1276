const formats = new Intl.NumberFormat('en')

/** A number as people read it: 43,000. */
export const formatCount = (count: number): string => formats.format(count)

/** "1 work order", "43,000 work orders". */
export const countOf = (count: number, one: string, many = `${one}s`): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`
