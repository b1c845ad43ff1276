import { createSearchTurns } from '../../kernel/searches/search-turns.ts'

/** All searches by regular expression share their turns: they use the same threads. */
export const inSearchTurn = createSearchTurns(
  'Put a word of at least three letters into the pattern, use smaller repetitions, or try again when fewer searches run.',
)
