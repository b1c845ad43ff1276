import type { Ref } from 'react'
import { cx } from '../../lib/cx.ts'
import { fullTimeOf, momentOf } from '../../lib/time.ts'
import { Button } from '../../ui/Button.tsx'
import { IconCheck, IconChecks } from '../../ui/icons.ts'
import { NamedAvatar } from './NamedAvatar.tsx'
import type { Proposal } from './proposals.ts'
import css from './SuggestionCard.module.css'

interface Props {
  proposal: Proposal
  isActive: boolean
  mayWrite: boolean
  /** All open suggestions of the same author, if this card offers to accept them together. */
  all: Proposal[] | undefined
  cardRef?: Ref<HTMLElement>
  onActivate(): void
  onDecide(which: Proposal[], verdict: 'accept' | 'reject'): void
}

const MAX_SHOWN = 400
const short = (text: string) => (text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text)

/** What someone proposes, and the two answers. */
export function SuggestionCard({ proposal, isActive, mayWrite, all, cardRef, onActivate, onDecide }: Props) {
  const { by, at } = proposal
  return (
    <section
      ref={cardRef}
      className={cx(css.card, isActive && css.active)}
      aria-label={`Suggestion by ${by}`}
      aria-current={isActive || undefined}
      onClick={onActivate}
      onKeyDown={(event) => event.key === 'Enter' && event.target === event.currentTarget && onActivate()}
    >
      <header className={css.head}>
        <NamedAvatar name={by} />
        <strong>{by}</strong>
        <time dateTime={at} title={fullTimeOf(at)}>
          {momentOf(at)}
        </time>
      </header>
      <Proposed proposal={proposal} />
      {mayWrite && (
        <div className={css.actions}>
          <Button className={css.button} onClick={() => onDecide([proposal], 'reject')}>
            Reject
          </Button>
          <Button
            className={cx(css.button, css.accept, isActive && css.strong)}
            icon={<IconCheck size={15} />}
            onClick={() => onDecide([proposal], 'accept')}
          >
            Accept
          </Button>
        </div>
      )}
      {mayWrite && all && (
        <button type="button" className={css.all} onClick={() => onDecide(all, 'accept')}>
          <IconChecks size={15} />
          Accept all {all.length} from {by}
        </button>
      )}
    </section>
  )
}

export function Proposed({ proposal: { deleted, inserted } }: { proposal: Proposal }) {
  const verb = deleted && inserted ? 'Replace' : deleted ? 'Delete' : 'Add'
  return (
    <p className={css.text}>
      {verb} {deleted && <del>{short(deleted)}</del>}
      {deleted && inserted && ' with '}
      {inserted && <ins>{short(inserted)}</ins>}
    </p>
  )
}
