/** The properties by which texts are compared. */
export interface Features {
  /** Texts of different kinds are never alike. The reader knows no kinds; callers do. */
  kind: string
  /** What made the vector. Vectors of different encoders are never compared. */
  encoder: string
  /** See `relativeTo`. None if the encoder does not know the language. */
  vector?: string | undefined
  /** What the text speaks of, the same in all languages that the glossary knows. */
  terms: string[]
  /** The terms as they are written in the text. */
  forms: string[]
}

export const BUILT_IN = 'built-in'
/** Increases when the same text yields different features. Stored features of older versions are then recomputed. */
export const FEATURES_VERSION = 5

/**
 * Makes vectors relative to the mean of the neutral texts, so that only what is particular to a text remains. Returns a
 * signed byte for each component, the largest of which is 127, in base64.
 */
export function relativeTo(neutral: readonly ArrayLike<number>[]): (vector: ArrayLike<number>) => string {
  const mean = new Float32Array(neutral[0]?.length ?? 0)
  for (const vector of neutral) for (const [i, value] of unit(vector).entries()) mean[i]! += value / neutral.length
  return (vector) => {
    const rest = unit(vector).map((value, i) => value - mean[i]!)
    const most = rest.reduce((most, value) => Math.max(most, Math.abs(value)), 0) || 1
    return Buffer.from(Int8Array.from(rest, (value) => Math.round((value / most) * 127))).toString('base64')
  }
}

/** Returns what `relativeTo` made, at length 1. */
export const directionOf = (vector: string) => unit(new Int8Array(Buffer.from(vector, 'base64')))

/** Scales a vector to length 1. */
export function unit(values: ArrayLike<number>): Float32Array {
  let square = 0
  for (let i = 0; i < values.length; i++) square += values[i]! ** 2
  const length = Math.sqrt(square) || 1
  return Float32Array.from(values, (value) => value / length)
}
