import { Type } from 'typebox'
import { AppError } from './errors.ts'
import { Title } from './http/schema.ts'

export const ExpectedTitle = Type.Optional(
  Title({
    description: 'The title that you want to replace. If it has changed since, the answer is 412.',
    examples: ['Draft'],
  }),
)

/** Refuses to replace a title that the sender has not seen. An attempt whose answer was lost may have replaced it. */
export function checkExpectedTitle(now: string, title: string | undefined, expected: string | undefined): void {
  if (expected !== undefined && now !== expected && now !== title) throw titleChanged(now, expected)
}

const titleChanged = (now: string, expected: string) =>
  new AppError(
    412,
    'precondition_failed',
    `The title is "${now}" now, not "${expected}". To replace it, send "${now}" as "expected_title".`,
  )
