import type { Ref } from 'react'
import { Byline } from '../../comments/Byline.tsx'
import { CommentField } from '../../comments/CommentField.tsx'
import { copyText } from '../../lib/copy-text.ts'
import { cx } from '../../lib/cx.ts'
import { Button } from '../../ui/Button.tsx'
import { IconArrowBackUp, IconCheck, IconChecks, IconCopy, IconMessagePlus, IconX } from '../../ui/icons.ts'
import { MoreMenu } from '../../ui/MoreMenu.tsx'
import { actorOf, doorOf } from '../author.ts'
import type { Proposal } from './proposals.ts'
import css from './SuggestionCard.module.css'

interface Props {
  proposal: Proposal
  isActive: boolean
  mayWrite: boolean
  /** All open suggestions of the same author, if there are several. */
  all: Proposal[] | undefined
  /** True for the first of them, which offers to accept all. */
  offersAll: boolean
  cardRef?: Ref<HTMLElement>
  onActivate(): void
  onDecide(which: Proposal[], verdict: 'accept' | 'reject'): void
  /** Starts a thread about the suggested words. */
  onExplain(proposal: Proposal, message: string): Promise<boolean>
  onComment(): void
}

const MAX_SHOWN = 400
const short = (text: string) => (text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text)

/** What someone proposes, and the two answers. One's own can be explained or withdrawn. */
export function SuggestionCard(props: Props) {
  const { proposal, isActive, mayWrite, all, offersAll, cardRef, onActivate, onDecide, onExplain } = props
  const { by, at, author, isMine } = proposal
  return (
    <section
      ref={cardRef}
      className={cx(css.card, isActive && css.active)}
      aria-label={isMine ? 'Your suggestion' : `Suggestion by ${by}`}
      aria-current={isActive || undefined}
      data-suggestion-card
      // biome-ignore lint/a11y/noNoninteractiveTabindex: its keys work while it has the focus
      tabIndex={0}
      onFocus={(event) => event.target === event.currentTarget && onActivate()}
      onClick={onActivate}
      onKeyDown={(event) => event.key === 'Enter' && event.target === event.currentTarget && onActivate()}
    >
      <Byline actor={actorOf(author)} door={doorOf(author)} at={at} isMine={isMine}>
        <More {...props} />
      </Byline>
      <Proposed proposal={proposal} />
      {mayWrite && isMine && isActive && (
        <CommentField
          draft={`reason-${proposal.id}`}
          label="Say why"
          placeholder="Say why…"
          onSend={(message) => onExplain(proposal, message)}
        />
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
      {mayWrite && all && offersAll && (
        <button type="button" className={css.all} onClick={() => onDecide(all, 'accept')}>
          <IconChecks size={15} />
          Accept all {all.length} from {by}
        </button>
      )}
    </section>
  )
}

function More({ proposal, mayWrite, all, onDecide, onComment }: Props) {
  const { by, isMine, deleted, inserted } = proposal
  const size = { size: 16, stroke: 1.75 }
  const run = (value: string) => {
    if (value === 'comment') onComment()
    else if (value === 'copy') void copyText(inserted || deleted, 'Text copied')
    else onDecide(all ?? [proposal], value === 'accept' ? 'accept' : 'reject')
  }
  const together = mayWrite && all && !isMine ? all.length : 0
  return (
    <MoreMenu
      small
      label={isMine ? 'More for your suggestion' : `More for the suggestion by ${by}`}
      onPick={run}
      options={[
        ...(mayWrite ? [{ value: 'comment', label: 'Comment', icon: <IconMessagePlus {...size} /> }] : []),
        { value: 'copy', label: 'Copy its text', icon: <IconCopy {...size} /> },
        ...(together > 0
          ? [
              {
                value: 'accept',
                label: `Accept all ${together} from ${by}`,
                icon: <IconChecks {...size} />,
                divided: true,
              },
              { value: 'reject', label: `Reject all ${together} from ${by}`, icon: <IconX {...size} /> },
            ]
          : []),
      ]}
    />
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
