/** A leader that does not answer within this is asleep, as browsers on phones put tabs to sleep. */
const ANSWER_WITHIN_MS = 1_500

export interface Candidate {
  /** Starts what one tab does for all. Returns what ends it. */
  lead(): () => void
  /** Asks the leader to give a sign, which must lead to a call of `heard`. */
  ask(): void
}

/**
 * Lets one tab of the browser lead. The next one follows when it closes, or when a tab that somebody looks at gets no
 * answer from it. Locks exist only on HTTPS and localhost; elsewhere every visible tab leads.
 */
export function standForLeader(name: string, { lead, ask }: Candidate): { heard(): void; stop(): void } {
  const ended = new AbortController()
  const locks = navigator.locks as LockManager | undefined
  let retire: (() => void) | undefined
  let patience: ReturnType<typeof setTimeout> | undefined

  const begin = () => {
    clearTimeout(patience)
    if (!ended.signal.aborted) retire ??= lead()
  }
  const end = () => {
    retire?.()
    retire = undefined
  }

  function stand(options: LockOptions): void {
    const held = () =>
      new Promise<void>((resolve) => {
        begin()
        ended.signal.addEventListener('abort', () => resolve())
      })
    locks!.request(name, options, held).catch(() => {
      // Another tab has taken over.
      end()
      if (!ended.signal.aborted) stand({ signal: ended.signal })
    })
  }

  const looked = () => {
    if (document.visibilityState !== 'visible') return locks ? undefined : end()
    if (!locks) return begin()
    if (retire) return
    ask()
    clearTimeout(patience)
    patience = setTimeout(() => stand({ steal: true }), ANSWER_WITHIN_MS)
  }

  if (locks) stand({ signal: ended.signal })
  looked()
  document.addEventListener('visibilitychange', looked)
  return {
    heard: () => clearTimeout(patience),
    stop() {
      clearTimeout(patience)
      document.removeEventListener('visibilitychange', looked)
      ended.abort()
      end()
    },
  }
}
