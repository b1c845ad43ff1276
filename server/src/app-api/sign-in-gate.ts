import { AppError, unavailable } from '../kernel/errors.ts'
import { clientNetwork } from '../kernel/http/clients/client-network.ts'
import { type Allowance, createMinuteCounts } from '../kernel/minute-counts.ts'

/** A hash keeps one of the four threads busy that also read files. */
const MAX_HASHES_AT_ONCE = 2
const MAX_WAITING = 50
/** Wrong passwords in a minute. */
const MAX_FOR_ACCOUNT_FROM_ADDRESS = 10
const MAX_FROM_ADDRESS = 100
/** Lenient: strangers at many addresses must not use up the tries of the person whose account it is. */
const MAX_FOR_ACCOUNT = 100

export interface SignInTry {
  ip: string
  email: string
}

/**
 * Admits tries to sign in. A try is counted before its password is hashed, and given back unless the password was wrong,
 * so that tries which arrive together cannot pass the limit together.
 */
export function createSignInGate() {
  const counts = createMinuteCounts()
  /** Where people have signed in: the limit on their account does not keep them out there. */
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
    /** Runs the try in its turn. Throws 429 after too many wrong passwords and 503 when too many others wait. */
    async attempt({ ip, email }: SignInTry, signIn: () => Promise<Response>): Promise<Response> {
      const allowances = allowancesOf(ip, email.toLowerCase())
      const waitSeconds = counts.take(allowances)
      if (waitSeconds > 0) throw tooManyTries(waitSeconds)
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

const tooManyTries = (seconds: number) =>
  new AppError(429, 'too_many_tries', `Too many tries to sign in. Wait ${seconds} s and try again.`, {
    headers: { 'retry-after': String(seconds) },
  })

const tooManyAtOnce = () =>
  unavailable('sign_in_busy', 'Too many people are signing in at this moment. Try again in a few seconds.', 5)
