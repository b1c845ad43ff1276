import address from './pattern-thread.ts?worker&url'

export interface PatternQuestion {
  source: string
  flags: string
  texts: string[]
  /** How many matches to return. */
  most: number
}

/** The matches in order: in which text, where, and what each group matched. */
export type PatternAnswer = { block: number; index: number; groups: (string | undefined)[] }[]

export interface PatternSearch {
  /** Ends the search before it. Calls back unless the next search came first; with undefined if it took too long. */
  ask(question: PatternQuestion, answer: (found: PatternAnswer | undefined) => void): void
  end(): void
}

interface Policies {
  createPolicy(name: string, rules: { createScriptURL(): string }): { createScriptURL(address: string): unknown }
}
// The policy of the page lets the address of a script come from here only.
const policy = (globalThis as { trustedTypes?: Policies }).trustedTypes?.createPolicy('slipway-find', {
  createScriptURL: () => address,
})

const WITHIN_MS = 1_000

/** Searches in a thread, so that no expression can freeze the page. */
export function openPatternSearch(): PatternSearch {
  let thread: Worker | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let isBusy = false

  const end = () => {
    clearTimeout(timer)
    thread?.terminate()
    thread = undefined
    isBusy = false
  }
  return {
    end,
    ask(question, answer) {
      if (isBusy) end()
      clearTimeout(timer)
      thread ??= new Worker((policy?.createScriptURL(address) ?? address) as string, { type: 'module' })
      isBusy = true
      thread.onmessage = ({ data }: MessageEvent<PatternAnswer>) => {
        clearTimeout(timer)
        isBusy = false
        answer(data)
      }
      thread.postMessage(question)
      timer = setTimeout(() => {
        end()
        answer(undefined)
      }, WITHIN_MS)
    },
  }
}
