/** Letters and digits that stand together, also across an apostrophe or a hyphen. */
const WORD = /[\p{L}\p{M}\p{N}]+(?:['’.-][\p{L}\p{M}\p{N}]+)*/gu

export function countWords(text: string): number {
  let count = 0
  for (const _ of text.matchAll(WORD)) count++
  return count
}
