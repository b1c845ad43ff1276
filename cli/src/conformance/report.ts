/** A promise of an operation, and how it was broken if it was. */
export interface Finding {
  operation: string
  promise: string
  fault?: string
  /** It is the same for every operation. */
  isGeneral?: true
}

/** Ends a group of checks whose ground is missing. What it would have checked counts as not reached. */
export class Blocked extends Error {}

export class Report {
  readonly findings: Finding[] = []
  readonly #onFinding: (finding: Finding) => void

  constructor(onFinding: (finding: Finding) => void = () => undefined) {
    this.#onFinding = onFinding
  }

  /** Tries one promise. Returns what was found on the way, which later checks may need. */
  check<T>(operation: string, promise: string, run: () => Promise<T>): Promise<T | undefined> {
    return this.#check({ operation, promise }, run)
  }

  /** Tries a promise that is the same for every operation. */
  async checkGeneral(operation: string, promise: string, run: () => Promise<void>): Promise<void> {
    await this.#check({ operation, promise, isGeneral: true }, run)
  }

  async #check<T>(tried: Finding, run: () => Promise<T>): Promise<T | undefined> {
    let finding = tried
    try {
      return await run()
    } catch (err) {
      finding = { ...finding, fault: (err as Error).message }
      return undefined
    } finally {
      this.findings.push(finding)
      this.#onFinding(finding)
    }
  }
}

export function needed<T>(value: T | undefined): T {
  if (value === undefined) throw new Blocked()
  return value
}
