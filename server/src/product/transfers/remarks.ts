import { MOST_PROBLEMS, type Problem } from './transfer.ts'

/** Collects what a person should know about a file. The last entry of a list that is too long says how many are missing. */
export function collectRemarks() {
  const listed: Problem[] = []
  let found = 0
  return {
    add(where: string, ...details: string[]): void {
      for (const detail of details) if (++found <= MOST_PROBLEMS) listed.push({ where, detail })
    },
    list(): Problem[] {
      if (found <= MOST_PROBLEMS) return listed
      const shown = listed.slice(0, MOST_PROBLEMS - 1)
      return [...shown, { where: 'the rest', detail: `${found - shown.length} more remarks are not listed.` }]
    },
  }
}
