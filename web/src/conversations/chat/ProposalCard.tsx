import { useState } from 'react'
import { Outdated } from '../../agents/Outdated.tsx'
import { TextChange } from '../../agents/TextChange.tsx'
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
  const { status, tool, resource_type, reason, decided_at, changed_since } = proposal
  const isOpen = status === 'proposed' || status === 'begun'
  const Sign = resource_type && isKind(resource_type) ? KINDS[resource_type].icon : IconTool
  const name = `${inWords(tool)}${titleOf(proposal)}`
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
      {isOpen &&
        (changed_since ? <Outdated write={proposal} began="When it was asked" /> : <Fields proposal={proposal} />)}
      {reason && <p className={css.note}>{reason}</p>}
      {isOpen && waiting.length > 0 && (
        <p className={css.note}>Needs “{waiting.map((one) => inWords(one.tool) + titleOf(one)).join('”, “')}” first.</p>
      )}
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

function titleOf({ input, before }: Proposal): string {
  const title = input.title ?? input.name ?? before?.title ?? before?.name
  return typeof title === 'string' ? ` “${title}”` : ''
}

const MAX_FIELDS = 12
const shown = (value: unknown) =>
  value === null || value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)

/** What would be different, or else what the call says. */
function Fields({ proposal: { before, after, input } }: { proposal: Proposal }) {
  const next = (after ?? input) as Record<string, unknown>
  const names = Object.keys(next)
    .filter((name) => shown(next[name]) !== shown(before?.[name]) && !/^[0-9a-f-]{36}$/.test(shown(next[name])))
    .slice(0, MAX_FIELDS)
  if (names.length === 0) return null
  return (
    <dl className={css.fields}>
      {names.map((name) => (
        <div key={name}>
          <dt>{inWords(name)}</dt>
          <dd>
            <TextChange before={shown(before?.[name])} after={shown(next[name])} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
