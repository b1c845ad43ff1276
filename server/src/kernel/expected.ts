import { isDeepStrictEqual } from 'node:util'
import { type TSchema, Type } from 'typebox'
import { AppError, quoted } from './errors.ts'
import { Title } from './http/schema.ts'

/** What a new value replaces. */
export const expected = <T extends TSchema>(
  value: (options: Record<string, unknown>) => T,
  field: string,
  example: string,
) =>
  Type.Optional(
    value({
      description: `The ${field} that you want to replace. If it has changed since, the answer is 412.`,
      examples: [example],
    }),
  )

export const ExpectedTitle = expected(Title, 'title', 'Draft')

/** Refuses to replace a value that the sender has not seen. An attempt whose answer was lost may have replaced it. */
export function checkExpected(field: string, now: string, next: string | undefined, seen: string | undefined): void {
  if (seen === undefined || now === seen || now === next) return
  throw new AppError(
    412,
    'precondition_failed',
    `The ${field} is ${quoted(now)} now, not ${quoted(seen)}. To replace it, send the current one as "expected_${field}".`,
  )
}

/** The same for something with several values, such as a budget. */
export function checkSeen<T extends object>(what: string, now: T, next: T, seen: T | undefined): void {
  if (seen === undefined || isDeepStrictEqual(now, seen) || isDeepStrictEqual(now, next)) return
  throw new AppError(
    412,
    'precondition_failed',
    `Somebody else has changed the ${what} since you read it. Read it again, then decide which one counts.`,
  )
}
