import { SlipwayError } from '@slipway/sdk'

/** What the exit code of the program says. */
export const EXIT_CODES = {
  failed: 1,
  'wrong usage': 2,
  'not signed in': 3,
  'not found': 4,
  conflict: 5,
  unreachable: 6,
  'done except what is named': 7,
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
  if (err instanceof SlipwayError) return kindOfStatus(err.status)
  return (err as NodeJS.ErrnoException).code === 'ENOENT' ? 'not found' : 'failed'
}

export function kindOfStatus(status: number): keyof typeof EXIT_CODES {
  if (status === 401 || status === 403) return 'not signed in'
  if (status === 404) return 'not found'
  if (status === 409 || status === 412) return 'conflict'
  return status === 0 ? 'unreachable' : 'failed'
}

export function describe(err: unknown): string {
  if (!(err instanceof SlipwayError)) return describeFile(err as NodeJS.ErrnoException)
  if (err.status === 0) return `${err.detail}${reasonOf(err)}`
  if (err.status === 401)
    return 'The server does not know this key. Create one under Settings → API keys, and run "slipway login".'
  const [first, ...more] = err.errors.map(({ pointer, detail }) => `\n  ${pointer}: ${detail}`)
  const fields = more.length > 0 ? [first, ...more].join('') : ''
  const request = err.requestId ? `\n(request ${err.requestId})` : ''
  return `${err.detail}${fields}${request}`
}

/** What the network says at the root of it, such as "connect ECONNREFUSED 127.0.0.1:3000". */
function reasonOf({ cause }: Error): string {
  if (!(cause instanceof Error)) return ''
  return cause.cause instanceof Error ? reasonOf(cause) : cause.message ? ` (${cause.message})` : ''
}

function describeFile({ code, path, message }: NodeJS.ErrnoException): string {
  if (code === 'ENOENT') return `There is no file or folder "${path}".`
  if (code === 'EISDIR') return 'That is a folder. Name a file.'
  if (code === 'ENOTDIR') return `"${path}" is not a folder.`
  if (code === 'EACCES' || code === 'EPERM') return `"${path}" cannot be opened: you have no right to.`
  return message
}
