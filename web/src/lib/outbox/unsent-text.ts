import type { Write } from './index.ts'

/** The fields of writes that hold what people write. */
const WRITTEN = new Set(['text', 'title', 'markdown_content'])
/** Fields with what was there before, or with somebody's data. */
const OTHERS = new Set(['before', 'base', 'comment', 'phase', 'label', 'view', 'author'])

/** Writes as a text for people: what each is about, and the words in it. */
export const asText = (writes: Write[]): string =>
  writes
    .map(({ text, input, merged }) => [text, ...(merged ? [merged] : wordsIn(input))].join('\n\n'))
    .join('\n\n---\n\n')

function wordsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => {
    if (OTHERS.has(name)) return []
    if (typeof inner === 'string') return WRITTEN.has(name) && inner !== '' ? [inner] : []
    return wordsIn(inner)
  })
}
