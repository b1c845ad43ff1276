import pg from 'pg'

/** The code for a connection that broke or could not be made, if the driver gives none. */
const CONNECTION_LOST = 'CONNECTION_LOST'

const AWAY = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  CONNECTION_LOST,
  '57P01',
  '57P02',
  '57P03',
  '53300',
])

/** True if the database cannot be reached. False for an error in a query. */
export function isDatabaseAway(err: unknown): boolean {
  const code = errorCode(err)
  // The socket of PostgreSQL is missing, and not some file of ours.
  if (code === 'ENOENT') return (err as NodeJS.ErrnoException).syscall === 'connect'
  return code !== undefined && (AWAY.has(code) || code.startsWith('08'))
}

export function errorCode(err: unknown): string | undefined {
  const code = (err as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : undefined
}

/** Adds a code to the plain error that the driver throws for a broken connection. */
export function withCode(err: unknown): unknown {
  if (err instanceof Error && !(err instanceof pg.DatabaseError) && errorCode(err) === undefined)
    return Object.assign(err, { code: CONNECTION_LOST })
  return err
}

/** All connections that the caller may use stayed busy for too long. */
export class DatabaseBusyError extends Error {
  constructor() {
    super('All connections to the database that may be used for this are busy.')
  }
}
