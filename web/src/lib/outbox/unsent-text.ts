import { type Write, wordsOf } from './index.ts'

/** Writes as a text for people: what each is about, and the words in it. */
export const asText = (writes: Write[]): string =>
  writes.map((write) => [write.text, ...wordsOf(write)].join('\n\n')).join('\n\n---\n\n')
