/** A full stop after these ends no sentence. */
const SENTENCE_END =
  /(?<=[.!?…])(?<!\b(?:vs|e\.g|i\.e|approx|incl|nr|bzw|ca|z\.\s?b|p\.\s?ej)\.)\s+|(?<=[。！？])|[\r\n]+/i

export const splitSentences = (text: string): string[] => text.split(SENTENCE_END)

/** Splits a text into sentences and lines, without leading markdown markers. */
export const sentencesOf = (text: string): string[] =>
  splitSentences(text)
    .map((part) => part.replace(/^[\s>#*\-–•]+(?=\S)/, '').trim())
    .filter((part) => /\p{L}/u.test(part))
