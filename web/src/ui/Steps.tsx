import { formatCount } from '../lib/numbers.ts'
import { useShortcut } from '../lib/shortcuts.ts'
import { IconButton } from './Button.tsx'
import { IconChevronDown, IconChevronUp } from './icons.ts'

interface Props {
  /** The place in the list, or -1 if it is not known. */
  at: number
  total: number
  className?: string | undefined
  /** Names the keys on the buttons. */
  withKeys?: boolean
  /** If the place is not known, whether a step may find out. */
  mayStep?: boolean
  onStep(by: 1 | -1): void
}

/** Goes to the next one of a list, or the one before. */
export function Steps({ at, total, className, withKeys, mayStep = false, onStep }: Props) {
  useShortcut('next', () => onStep(1))
  useShortcut('previous', () => onStep(-1))
  const size = { size: 16, stroke: 1.75 }
  const isKnown = at >= 0
  return (
    <>
      {isKnown && (
        <span className={className}>
          {formatCount(at + 1)} of {formatCount(total)}
        </span>
      )}
      <IconButton
        label={withKeys ? 'Previous (K)' : 'Previous'}
        small
        disabled={isKnown ? at === 0 : !mayStep}
        onClick={() => onStep(-1)}
      >
        <IconChevronUp {...size} />
      </IconButton>
      <IconButton
        label={withKeys ? 'Next (J)' : 'Next'}
        small
        disabled={isKnown ? at === total - 1 : !mayStep}
        onClick={() => onStep(1)}
      >
        <IconChevronDown {...size} />
      </IconButton>
    </>
  )
}
