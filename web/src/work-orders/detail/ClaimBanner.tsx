import { useQuery } from '@tanstack/react-query'
import { cx } from '../../lib/cx.ts'
import { useMayWrite } from '../../lib/may-write.ts'
import { clockOf } from '../../lib/time.ts'
import { Button } from '../../ui/Button.tsx'
import { Meter } from '../../ui/charts.tsx'
import { PopUp } from '../../ui/PopUp.tsx'
import { Time } from '../../ui/Time.tsx'
import { claimQuery } from '../api.ts'
import { claimer, isRenamed, lengthOf, SHORT_MS, useNow } from '../claims.tsx'
import { releaseClaim } from '../release-claim.ts'
import { codeOf, type WorkOrder } from '../work-order.ts'
import css from './ClaimBanner.module.css'

/** Who works on it, and for how long they may before it goes to somebody else. Nothing if nobody has claimed it. */
export function ClaimBanner({ workOrder, projectId }: { workOrder: WorkOrder; projectId: string }) {
  const claim = useQuery(claimQuery(projectId, workOrder.id)).data
  const now = useNow(claim !== null && claim !== undefined)
  const mayWrite = useMayWrite()
  if (!claim) return null
  const leftMs = Date.parse(claim.expires_at) - now
  if (leftMs <= 0) return null
  const leaseMs = Date.parse(claim.expires_at) - Date.parse(claim.renewed_at)
  return (
    <section className={cx(css.banner, leftMs < SHORT_MS && css.short)} aria-label="Claim">
      <span className={css.mark} aria-hidden="true">
        AI
      </span>
      <div className={css.about}>
        <p className={css.who} title={claimer(claim)}>
          <strong>Claimed by {claim.holder}</strong>, {lengthOf(leftMs)} left
        </p>
        <p className={css.note}>
          {isRenamed(claim) && `With ${claim.agent!.name} · `}
          {claim.agent?.acts_as && `For ${claim.agent.acts_as.display_name} · `}
          {claim.renewed_at === claim.claimed_at ? 'Claimed' : 'Renewed'} <Time at={claim.renewed_at} as="when" /> ·
          people can still edit
        </p>
      </div>
      <span className={css.left} title={`Until ${clockOf(Date.parse(claim.expires_at))}`}>
        <Meter
          label="Time left"
          value={leftMs}
          max={leaseMs}
          text={lengthOf(leftMs)}
          tone={leftMs < SHORT_MS ? 'amber' : 'accent'}
        />
      </span>
      {mayWrite && (
        <PopUp
          place="bottom-end"
          target={({ toggle, open }) => (
            <Button look="quiet" aria-expanded={open} onClick={toggle}>
              Release
            </Button>
          )}
        >
          {(close) => (
            <div className={css.question}>
              <p className={css.who} title={claimer(claim)}>
                <strong>
                  Take {codeOf(workOrder)} from {claim.holder}?
                </strong>
              </p>
              <p>It is ready for others again, and what its holder hands in is refused.</p>
              <Button
                look="primary"
                onClick={() => {
                  close()
                  void releaseClaim(projectId, { workOrder, claim })
                }}
              >
                Release
              </Button>
            </div>
          )}
        </PopUp>
      )}
    </section>
  )
}
