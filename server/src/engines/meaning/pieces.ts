const SPACE = '\u2581'
const RESERVED = 6
/** The score of a symbol that no piece contains. */
const UNKNOWN_SCORE = -20

/** Splits a text into the most likely sequence of known pieces (a unigram language model, decoded with Viterbi). */
export function createPieceReader(vocabulary: readonly (readonly [string, number])[]): (text: string) => number[] {
  const known = new Map(vocabulary.map(([piece], index) => [piece, index] as const).slice(RESERVED))
  const longest = Math.max(...[...known.keys()].map((piece) => [...piece].length))

  return (text) => {
    const symbols = [...(SPACE + text.normalize('NFKC').trim().replace(/\s+/g, SPACE))]
    const count = symbols.length
    const best = new Float64Array(count + 1).fill(Number.NEGATIVE_INFINITY)
    const piece = new Int32Array(count + 1)
    const from = new Int32Array(count + 1)
    best[0] = 0
    const offer = (start: number, end: number, score: number, id: number) => {
      if (best[start]! + score <= best[end]!) return
      best[end] = best[start]! + score
      piece[end] = id
      from[end] = start
    }
    for (let start = 0; start < count; start++) {
      let text = ''
      for (let end = start; end < Math.min(count, start + longest); end++) {
        text += symbols[end]!
        const id = known.get(text)
        if (id !== undefined) offer(start, end + 1, vocabulary[id]![1], id)
      }
      offer(start, start + 1, UNKNOWN_SCORE, 0)
    }
    const ids: number[] = []
    for (let end = count; end > 0; end = from[end]!) if (piece[end] !== 0 || ids.at(-1) !== 0) ids.push(piece[end]!)
    return ids.reverse()
  }
}
