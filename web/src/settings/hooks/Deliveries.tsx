import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { cx } from '../../lib/cx.ts'
import { fullTimeOf } from '../../lib/time.ts'
import { Button } from '../../ui/Button.tsx'
import css from '../../ui/dialogs.module.css'
import { FormDialog } from '../../ui/dialogs.tsx'
import { IconRefresh, IconWebhook } from '../../ui/icons.ts'
import { Time } from '../../ui/Time.tsx'
import { deliveriesQuery, type Webhook, type WebhookDelivery } from './api.ts'
import { redeliver } from './edits.ts'
import own from './Hooks.module.css'

const STATES = { succeeded: ['Delivered', 'good'], pending: ['Waiting', 'waits'], failed: ['Failed', 'bad'] } as const

/** What was sent to a webhook, with what came back. */
export function Deliveries({ projectId, webhook, onClose }: { projectId: string; webhook: Webhook; onClose(): void }) {
  const query = useInfiniteQuery(deliveriesQuery(projectId, webhook.id))
  const all = query.data?.pages.flatMap(({ items }) => items)
  return (
    <FormDialog
      title={`Deliveries to “${webhook.name}”`}
      lead="Kept for 30 days. A failed one is tried again for a day."
      icon={<IconWebhook size={18} stroke={1.75} />}
      width={680}
      onClose={onClose}
      onSubmit={onClose}
      footer={
        <>
          <span className={css.grow} />
          <Button type="submit" data-autofocus>
            Close
          </Button>
        </>
      }
    >
      <div className={own.log} aria-busy={query.isPending}>
        {all?.length === 0 && <p className={own.none}>Nothing was sent yet. Send a test event to try it.</p>}
        {all?.map((one) => (
          <DeliveryLine key={one.id} projectId={projectId} webhook={webhook} delivery={one} />
        ))}
        {query.hasNextPage && (
          <div className={own.more}>
            <Button look="quiet" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
              Show older ones
            </Button>
          </div>
        )}
      </div>
    </FormDialog>
  )
}

interface LineProps {
  projectId: string
  webhook: Webhook
  delivery: WebhookDelivery
}

function DeliveryLine({ projectId, webhook, delivery }: LineProps) {
  const [busy, setBusy] = useState(false)
  const [label, tone] = STATES[delivery.status]
  const again = async () => {
    setBusy(true)
    await redeliver(projectId, { webhook, delivery })
    setBusy(false)
  }
  return (
    <div className={own.delivery}>
      <span className={cx(own.badge, own[tone])}>{label}</span>
      <div className={own.grow}>
        <div className={own.kind}>{delivery.event_kind}</div>
        <p title={delivery.response_excerpt || undefined}>
          <Time at={delivery.occurred_at} />
          {wordsOf(delivery)}
        </p>
      </div>
      <Button
        look="quiet"
        busy={busy}
        disabled={!webhook.enabled || delivery.status === 'pending'}
        icon={<IconRefresh size={15} stroke={1.75} />}
        title={fullTimeOf(delivery.occurred_at)}
        onClick={() => void again()}
      >
        Redeliver
      </Button>
    </div>
  )
}

function wordsOf(delivery: WebhookDelivery): string {
  const { attempts, response_status, duration_ms, error, next_attempt_at } = delivery
  const parts = ['']
  if (attempts > 1) parts.push(`${attempts} attempts`)
  if (error) parts.push(error)
  else if (response_status !== null) parts.push(`${response_status} in ${duration_ms} ms`)
  if (next_attempt_at && attempts > 0) parts.push(`again ${fullTimeOf(next_attempt_at)}`)
  if (error && delivery.response_excerpt) parts.push(`“${delivery.response_excerpt.slice(0, 80)}”`)
  return parts.join(' · ')
}
