import { SlipwayError } from '@slipway/sdk'

/** What the exit code of the program says. */
export const EXIT_CODES = {
  failed: 1,
  'wrong usage': 2,
  'not signed in': 3,
  'not found': 4,
  conflict: 5,
  unreachable: 6,
} as const

export class Failure extends Error {
  readonly kind: keyof typeof EXIT_CODES

  constructor(message: string, kind: keyof typeof EXIT_CODES = 'failed') {
    super(message)
    this.kind = kind
  }
}

export function kindOf(err: unknown): keyof typeof EXIT_CODES {
  if (err instanceof Failure) return err.kind
  if (!(err instanceof SlipwayError)) return 'failed'
  if (err.status === 401 || err.status === 403) return 'not signed in'
  if (err.status === 404) return 'not found'
  if (err.status === 409 || err.status === 412) return 'conflict'
  return err.status === 0 ? 'unreachable' : 'failed'
}

export function describe(err: unknown): string {
  if (!(err instanceof SlipwayError)) return (err as Error).message
  const fields = err.errors.map(({ pointer, detail }) => `\n  ${pointer}: ${detail}`).join('')
  const request = err.requestId ? `\n(request ${err.requestId})` : ''
  return `${err.detail}${fields}${request}`
}
