import pg from 'pg'
import { AppError } from './errors.ts'

interface Logged extends Record<string, unknown> {
  type: string
  message: string
  stack: string
}

/**
 * Describes an error in the log without what people wrote. The messages of an `AppError`, of PostgreSQL and of parsers
 * quote it; the code and the place in the program are enough to find the fault.
 */
export function loggedError(err: unknown): Logged {
  if (!(err instanceof Error)) return { type: typeof err, message: '', stack: '' }
  const { code, cause } = err as { code?: unknown; cause?: unknown }
  const quotes = err instanceof AppError || err instanceof pg.DatabaseError || err instanceof SyntaxError
  return {
    type: err.name,
    code,
    ...(err instanceof pg.DatabaseError && { table: err.table, constraint: err.constraint, routine: err.routine }),
    message: quotes ? '' : err.message,
    stack: err.stack?.slice(err.stack.indexOf('\n    at ') + 1) ?? '',
    ...(cause !== undefined && { cause: loggedError(cause) }),
  }
}
