import { AppError, unavailable } from '../../kernel/errors.ts'
import { clientNetwork } from '../../kernel/http/clients/client-network.ts'
import { type Allowance, createMinuteCounts } from '../../kernel/minute-counts.ts'

/** A hash occupies one of the four libuv threads, which also read files. */
const MAX_HASHES_AT_ONCE = 2
const MAX_WAITING = 50
/** Wrong passwords per minute. */
const MAX_FOR_ACCOUNT_FROM_ADDRESS = 10
const MAX_FROM_ADDRESS = 100
/** High, because strangers at many addresses must not lock the owner out of the account. */
const MAX_FOR_ACCOUNT = 100

export interface SignInAttempt {
  ip: string
  email: string
}

export type SignInGate = ReturnType<typeof createSignInGate>

/**
 * Limits sign-in attempts. Counts an attempt before its password is hashed and reverts the count unless the password
 * was wrong, so concurrent attempts cannot exceed the limit.
 */
export function createSignInGate() {
  const counts = createMinuteCounts()
  /** Networks from which people have signed in. The limit of their account does not apply there. */
  const knownPlaces = new Set<string>()
  const waiting: (() => void)[] = []
  let hashing = 0

  function allowancesOf(ip: string, account: string): Allowance[] {
    const address = clientNetwork(ip)
    const place = `${account} from ${address}`
    return [
      { name: place, limit: MAX_FOR_ACCOUNT_FROM_ADDRESS },
      { name: address, limit: MAX_FROM_ADDRESS },
      { name: account, limit: knownPlaces.has(place) ? Number.POSITIVE_INFINITY : MAX_FOR_ACCOUNT },
    ]
  }

  async function inTurn<T>(hash: () => Promise<T>): Promise<T> {
    if (hashing < MAX_HASHES_AT_ONCE) hashing++
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await hash()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else hashing--
    }
  }

  return {
    /**
     * Runs something that a secret link allows. Counts what is refused, because only guessing needs many tries. `hash`
     * runs a slow part in turn.
     */
    async guess<T>(ip: string, run: (hash: typeof inTurn) => Promise<T>): Promise<T> {
      const address = clientNetwork(ip)
      const allowances = [
        { name: `links from ${address}`, limit: MAX_FOR_ACCOUNT_FROM_ADDRESS },
        { name: address, limit: MAX_FROM_ADDRESS },
      ]
      const waitSeconds = counts.take(allowances)
      if (waitSeconds > 0) throw tooManyAttempts(waitSeconds)
      let wasWrong = false
      try {
        if (waiting.length >= MAX_WAITING) throw tooManyAtOnce()
        return await run(inTurn)
      } catch (err) {
        wasWrong = err instanceof AppError && err.code === 'invitation_unknown'
        throw err
      } finally {
        if (!wasWrong) counts.giveBack(allowances)
      }
    },
    /**
     * Runs the attempt when its turn comes. Throws 429 after too many wrong passwords and 503 if too many others wait.
     */
    async attempt({ ip, email }: SignInAttempt, signIn: () => Promise<Response>): Promise<Response> {
      const allowances = allowancesOf(ip, email.toLowerCase())
      const waitSeconds = counts.take(allowances)
      if (waitSeconds > 0) throw tooManyAttempts(waitSeconds)
      let wasWrong = false
      try {
        if (waiting.length >= MAX_WAITING) throw tooManyAtOnce()
        const answer = await inTurn(signIn)
        wasWrong = !answer.ok && answer.status < 500
        if (answer.ok) knownPlaces.add(allowances[0]!.name)
        return answer
      } finally {
        if (!wasWrong) counts.giveBack(allowances)
      }
    },
  }
}

const tooManyAttempts = (seconds: number) =>
  new AppError(429, 'too_many_tries', `Too many tries to sign in. Wait ${seconds} s and try again.`, {
    headers: { 'retry-after': String(seconds) },
  })

const tooManyAtOnce = () =>
  unavailable('sign_in_busy', 'Too many people are signing in at this moment. Try again in a few seconds.', 5)
