import { useState } from 'react'
import { subjectOf, titleOf } from '../../agents/describe-write.ts'
import { Outdated } from '../../agents/Outdated.tsx'
import { WriteContent } from '../../agents/WriteContent.tsx'
import { cx } from '../../lib/cx.ts'
import { inWords, isKind, KINDS } from '../../lib/kinds.ts'
import { Button } from '../../ui/Button.tsx'
import { IconCheck, IconTool, IconX } from '../../ui/icons.ts'
import { Time } from '../../ui/Time.tsx'
import type { Proposal } from '../api.ts'
import { decide } from '../edits.ts'
import css from './ProposalCard.module.css'

interface Props {
  projectId: string
  conversationId: string
  proposal: Proposal
  /** Only the person who talks to the agent decides. */
  mayDecide: boolean
  /** What must be accepted first. */
  needs: Proposal[]
}

/** Something that the agent would change. It is done when the person accepts it here. */
export function ProposalCard({ projectId, conversationId, proposal, mayDecide, needs }: Props) {
  const [fault, setFault] = useState<string>()
  const [busy, setBusy] = useState<'accept' | 'reject'>()
  const { status, reason, decided_at, changed_since } = proposal
  const isOpen = status === 'proposed' || status === 'begun'
  const subject = subjectOf(proposal)
  const Sign = subject !== null && isKind(subject) ? KINDS[subject].icon : IconTool
  const name = nameOf(proposal)
  const run = async (verb: 'accept' | 'reject') => {
    setBusy(verb)
    setFault(undefined)
    const outcome = await decide(projectId, { id: conversationId, proposalId: proposal.id, verb })
    setBusy(undefined)
    if (outcome.state === 'failed') setFault(outcome.fault.message)
  }
  const waiting = needs.filter((one) => one.status !== 'accepted')
  return (
    <section className={cx(css.card, !isOpen && css.decided)} aria-label={`Proposal: ${name}`}>
      <div className={css.head}>
        <Sign size={16} stroke={1.75} aria-hidden="true" />
        <strong className={css.name}>{name}</strong>
        {isOpen && changed_since && <span className={cx(css.state, css.outdated)}>Outdated</span>}
        {!isOpen && (
          <span className={cx(css.state, css[status])}>
            {inWords(status)}
            {decided_at && (
              <>
                {' '}
                <Time at={decided_at} as="when" />
              </>
            )}
          </span>
        )}
      </div>
      {isOpen && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text scrolls, also by the keyboard.
        <div className={css.content} tabIndex={0}>
          {changed_since ? (
            <Outdated write={proposal} began="When it was asked" />
          ) : (
            <WriteContent write={proposal} projectId={projectId} />
          )}
        </div>
      )}
      {reason && <p className={css.note}>{reason}</p>}
      {isOpen && waiting.length > 0 && <p className={css.note}>Needs {waiting.map(nameOf).join(', ')} first.</p>}
      {fault && (
        <p className={css.fault} role="alert">
          {fault}
        </p>
      )}
      {isOpen && mayDecide && (
        <div className={css.buttons}>
          {!changed_since && (
            <Button
              look="primary"
              icon={<IconCheck size={15} />}
              busy={busy === 'accept'}
              disabled={waiting.length > 0 || busy !== undefined}
              onClick={() => void run('accept')}
            >
              Accept
            </Button>
          )}
          <Button
            icon={<IconX size={15} />}
            busy={busy === 'reject'}
            disabled={busy !== undefined}
            onClick={() => void run('reject')}
          >
            Reject
          </Button>
        </div>
      )}
    </section>
  )
}

const nameOf = (write: Proposal) => `${inWords(write.tool)} “${titleOf(write)}”`
