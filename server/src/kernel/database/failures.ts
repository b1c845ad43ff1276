import pg from 'pg'

/** Of a connection that broke or could not be made, where the driver gives no code. */
const CONNECTION_LOST = 'CONNECTION_LOST'

const AWAY = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
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

/** Whether an error says that the database cannot be reached now, as opposed to a query that is wrong. */
export function isDatabaseAway(err: unknown): boolean {
  const code = errorCode(err)
  return code !== undefined && (AWAY.has(code) || code.startsWith('08'))
}

export function errorCode(err: unknown): string | undefined {
  const code = (err as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : undefined
}

/** The driver reports a connection that broke as a plain error. */
export function withCode(err: unknown): unknown {
  if (err instanceof Error && !(err instanceof pg.DatabaseError) && errorCode(err) === undefined)
    return Object.assign(err, { code: CONNECTION_LOST })
  return err
}

/** All connections that a caller may use are busy and stayed so. */
export class DatabaseBusyError extends Error {
  constructor() {
    super('All connections to the database that may be used for this are busy.')
  }
}
