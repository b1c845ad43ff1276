/** Splits a text into sentences and lines, without leading markdown markers. */
export const sentencesOf = (text: string): string[] =>
  text
    .split(/(?<=[.!?…])\s+|(?<=[。！？])|[\r\n]+/)
    .map((part) => part.replace(/^[\s>#*\-–•]+(?=\S)/, '').trim())
    .filter((part) => /\p{L}/u.test(part))
