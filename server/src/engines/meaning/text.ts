/** Words in lower case, with what is joined to them by an apostrophe; all numbers are one word. */
export const wordsOf = (text: string): string[] =>
  (
    text
      .toLowerCase()
      .replaceAll('’', "'")
      .match(/\p{L}+(?:'\p{L}+)?|\p{N}+/gu) ?? []
  ).map((word) => (/^\p{N}/u.test(word) ? '#' : word))

/** Takes the usual endings of English off a word. It need not be right, only the same for forms of one word. */
export function stem(word: string): string {
  const bare = word
    .replace(/'s$/, '')
    .replace(/ies$/, 'y')
    .replace(/sses$/, 'ss')
    .replace(/([^s])s$/, '$1')
  const base = word.length > 5 ? bare.replace(/(ing|ed)$/, '') : bare
  return (word.length > 4 ? base.replace(/e$/, '') : base).replace(/(.)\1$/, '$1')
}

/** Sentences and lines, without the marks of markdown at their beginning. */
export const sentencesOf = (text: string): string[] =>
  text
    .split(/(?<=[.!?])\s+|[\r\n]+/)
    .map((part) => part.replace(/^[\s>#*\-–•\d.)]+(?=\S)/, '').trim())
    .filter((part) => /\p{L}/u.test(part))
