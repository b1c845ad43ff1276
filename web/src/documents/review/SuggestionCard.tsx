import type { Ref } from 'react'
import { cx } from '../../lib/cx.ts'
import { fullTimeOf, momentOf } from '../../lib/time.ts'
import { Button } from '../../ui/Button.tsx'
import { IconArrowBackUp, IconCheck, IconChecks } from '../../ui/icons.ts'
import { AuthorMark, DOORS } from './Author.tsx'
import { CommentField } from './CommentField.tsx'
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
  /** Starts a thread about the suggested words. */
  onExplain(proposal: Proposal, message: string): Promise<boolean>
}

const MAX_SHOWN = 400
const short = (text: string) => (text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text)

/** What someone proposes, and the two answers. One's own can be explained or withdrawn. */
export function SuggestionCard(props: Props) {
  const { proposal, isActive, mayWrite, all, cardRef, onActivate, onDecide, onExplain } = props
  const { by, at, origin, isMine } = proposal
  const door = origin && DOORS[origin]
  return (
    <section
      ref={cardRef}
      className={cx(css.card, isActive && css.active)}
      aria-label={isMine ? 'Your suggestion' : `Suggestion by ${by}`}
      aria-current={isActive || undefined}
      onClick={onActivate}
      onKeyDown={(event) => event.key === 'Enter' && event.target === event.currentTarget && onActivate()}
    >
      <header className={css.head}>
        <AuthorMark name={by} origin={origin} />
        <strong>{isMine ? 'You' : by || 'Someone'}</strong>
        <time dateTime={at} title={fullTimeOf(at)}>
          {momentOf(at)}
        </time>
      </header>
      <Proposed proposal={proposal} />
      {door && <p className={css.door}>{door}</p>}
      {mayWrite && isMine && isActive && (
        <CommentField label="Say why" placeholder="Say why…" onSend={(message) => onExplain(proposal, message)} />
      )}
      {mayWrite && (
        <div className={css.actions}>
          {isMine ? (
            <Button
              className={css.button}
              icon={<IconArrowBackUp size={15} />}
              onClick={() => onDecide([proposal], 'reject')}
            >
              Withdraw
            </Button>
          ) : (
            <>
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
            </>
          )}
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
