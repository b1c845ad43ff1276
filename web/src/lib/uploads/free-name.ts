import { SlipwayError } from '../client.ts'

const MAX_NAMES_TRIED = 50

/** A name that is taken gets a number, as on a desktop. The number comes before the ending of a file. */
export async function withFreeName<T>(
  name: string,
  hasEnding: boolean,
  store: (name: string, count: number) => Promise<T>,
): Promise<T> {
  const dot = hasEnding ? name.lastIndexOf('.') : -1
  const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  for (let count = 1; ; count++) {
    try {
      return await store(count === 1 ? name : `${stem} ${count}${ending}`, count)
    } catch (err) {
      const isTaken = err instanceof SlipwayError && err.code === 'name_taken'
      if (!isTaken || count === MAX_NAMES_TRIED) throw err
    }
  }
}
