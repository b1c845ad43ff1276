import { AppError, malformed, quoted } from '../../kernel/errors.ts'
import type { Refusal } from './worker.ts'

export const answerTooLarge = () =>
  malformed(
    'answer_too_large',
    'More text matches than fits into one answer. Use a more specific pattern, or a smaller "limit" or "context_lines".',
  )

export function invalidRegex(pattern: string, { reason, from, to }: Refusal): AppError {
  const place =
    from === undefined
      ? ''
      : ` At character ${from} (${quoted([...pattern].slice(from - 1, to).join('')) || 'the end'}):`
  const detail = `${quoted(pattern)} is not a valid regular expression.${place} ${reason}. The syntax is that of ripgrep (the Rust "regex" crate).`
  return new AppError(400, 'invalid_regex', detail, {
    extra: { reason, ...(from === undefined ? {} : { position: { from, to } }) },
  })
}
