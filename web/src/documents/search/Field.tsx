import type { KeyboardEvent, Ref } from 'react'
import { SlipwayError } from '../../lib/client.ts'
import { cx } from '../../lib/cx.ts'
import { IconButton } from '../../ui/Button.tsx'
import { IconRegex, IconX } from '../../ui/icons.ts'
import { KINDS, type Kind } from '../kind.ts'
import css from './SearchPage.module.css'
import { MAX_PATTERN } from './text-search.ts'

interface Props {
  ref: Ref<HTMLInputElement>
  kind: Kind
  value: string
  onChange(text: string): void
  caseSensitive: boolean
  onCase(): void
  failure: Error | undefined
  onStep(by: 1 | -1): void
  onOpen(): void
}

/** Where an expression is wrong, in characters from 1, and why. */
interface Refusal {
  reason: string
  position?: { from: number; to?: number }
}

const refusalIn = (failure: Error | undefined): Refusal | undefined =>
  failure instanceof SlipwayError && failure.code === 'invalid_regex'
    ? (failure.problem as unknown as Refusal)
    : undefined

export function Field({ ref, kind, value, onChange, caseSensitive, onCase, failure, onStep, onOpen }: Props) {
  const refusal = refusalIn(failure)
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.altKey && event.code === 'KeyC') onCase()
    else if (event.key === 'ArrowDown') onStep(1)
    else if (event.key === 'ArrowUp') onStep(-1)
    else if (event.key === 'Enter' && !event.nativeEvent.isComposing) onOpen()
    else if (event.key === 'Escape' && value !== '') onChange('')
    else if (event.key === 'Escape') event.currentTarget.blur()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <search>
      <div className={cx(css.field, refusal && css.refused)}>
        <IconRegex size={17} stroke={1.75} />
        <input
          ref={ref}
          // biome-ignore lint/a11y/noAutofocus: the page is for typing here
          autoFocus
          value={value}
          maxLength={MAX_PATTERN}
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="off"
          aria-label={`Regular expression in ${KINDS[kind].title.toLowerCase()}`}
          aria-invalid={refusal ? true : undefined}
          aria-describedby={refusal ? 'search-refusal' : undefined}
          placeholder="A word or a regular expression"
          onChange={(event) => onChange(event.target.value)}
          onKeyDown={press}
        />
        {value !== '' && (
          <IconButton small label="Clear" onClick={() => onChange('')}>
            <IconX size={15} stroke={1.75} />
          </IconButton>
        )}
        <button
          type="button"
          className={css.case}
          aria-label="Match case"
          title="Match case (Alt+C)"
          aria-pressed={caseSensitive}
          onClick={onCase}
        >
          Aa
        </button>
      </div>
      {refusal && <Reason pattern={value} refusal={refusal} />}
    </search>
  )
}

/** Points at what is wrong, under a copy of the expression. */
function Reason({ pattern, refusal: { reason, position } }: { pattern: string; refusal: Refusal }) {
  const chars = [...pattern]
  const from = position ? position.from - 1 : 0
  const count = position ? Math.max(1, (position.to ?? position.from) - position.from + 1) : 0
  // A long expression is shown around the place.
  const start = Math.max(0, from - 40)
  return (
    <div id="search-refusal" className={css.reason} role="alert">
      {position && (
        <pre aria-hidden>
          {`${start > 0 ? '…' : ''}${chars.slice(start, from + count + 40).join('')}\n`}
          <b>{`${' '.repeat(from - start + (start > 0 ? 1 : 0))}${'^'.repeat(Math.min(count, 60))}`}</b>
        </pre>
      )}
      <p>
        {position && <span className="sr-only">At character {position.from}: </span>}
        {sentence(reason)}.
      </p>
    </div>
  )
}

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1).replace(/\.$/, '')
