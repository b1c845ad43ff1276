/** Splits a text into lowercase words. Keeps apostrophes inside a word and replaces every number by `#`. */
export const wordsOf = (text: string): string[] =>
  (
    text
      .toLowerCase()
      .replaceAll('’', "'")
      .match(/\p{L}+(?:'\p{L}+)?|\p{N}+/gu) ?? []
  ).map((word) => (/^\p{N}/u.test(word) ? '#' : word))

/** Strips common English endings. The result need not be correct, only the same for all forms of a word. */
export function stem(word: string): string {
  const bare = word
    .replace(/'s$/, '')
    .replace(/ies$/, 'y')
    .replace(/sses$/, 'ss')
    .replace(/([^s])s$/, '$1')
  const base = word.length > 5 ? bare.replace(/(ing|ed)$/, '') : bare
  return (word.length > 4 ? base.replace(/e$/, '') : base).replace(/(.)\1$/, '$1')
}

/** Splits a text into sentences and lines, without leading markdown markers. */
export const sentencesOf = (text: string): string[] =>
  text
    .split(/(?<=[.!?])\s+|[\r\n]+/)
    .map((part) => part.replace(/^[\s>#*\-–•\d.)]+(?=\S)/, '').trim())
    .filter((part) => /\p{L}/u.test(part))
