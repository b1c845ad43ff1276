import { conflict, type FieldError, quoted } from '../../kernel/errors.ts'
import type { EventRegister } from '../../kernel/event-kinds.ts'
import { isPrivateAddress } from '../../kernel/http/outgoing/private-address.ts'
import { PRIVATE_HOSTS_SETTING } from './settings.ts'

export interface Webhook {
  id: string
  name: string
  url: string
  /** Kinds of events, or whole groups such as `work_order.*`. Null for all. */
  eventKinds: string[] | null
  enabled: boolean
  disabledReason: string | null
  failingSince: string | null
  previousSecretUntil: string | null
  createdAt: string
  updatedAt: string
}

export const DELIVERY_STATUSES = ['pending', 'succeeded', 'failed'] as const
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

export interface Delivery {
  /** The id of the event. */
  id: string
  kind: string
  subjectType: string
  subjectId: string
  occurredAt: string
  status: DeliveryStatus
  attempts: number
  nextAttemptAt: string | null
  lastAttemptAt: string | null
  durationMs: number | null
  responseStatus: number | null
  responseExcerpt: string | null
  error: string | null
}

/** The job that sends what is due for a webhook. */
export const DELIVER = 'deliver_webhook'

/** What the job is for. */
export interface Target {
  projectId: string
  webhookId: string
}

/** What is sent to one webhook only, to see whether it answers. */
export const PING = 'webhook.ping'

export function faultsOfUrl(url: string, privateHosts: boolean): FieldError[] {
  const fault = (detail: string) => [{ pointer: '/url', detail }]
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    return fault(`${quoted(url)} is not a full http or https URL.`)
  const { username, password, hostname } = new URL(url)
  if (username || password) return fault('A URL with a password in it would be shown. Check the signature instead.')
  const host = hostname.replace(/^\[|\]$/g, '')
  if (!privateHosts && (host === 'localhost' || isPrivateLiteral(host)))
    return fault(
      `"${host}" is in the server's own network. The operator has to allow that (${PRIVATE_HOSTS_SETTING}=on).`,
    )
  return []
}

/** A name is checked when it is looked up to connect. */
const isPrivateLiteral = (host: string) => /^[\d.]+$|:/.test(host) && isPrivateAddress(host)

export function faultsOfKinds({ kinds: known, groups }: EventRegister, kinds: string[]): FieldError[] {
  const sent = [...groups.values()].filter(({ isPrivate }) => !isPrivate).map(({ name }) => name)
  return kinds.flatMap((kind, index) => {
    const [group = '', ...rest] = kind.split('.')
    const isSent = sent.includes(group)
    if (isSent && (rest.join('.') === '*' || known.has(kind))) return []
    const own = [...known.keys()].filter((one) => one.startsWith(`${group}.`))
    const hint = isSent
      ? `Send "${group}.*" for all, or one of: ${own.join(', ')}.`
      : `Send one such as "work_order.created", or "work_order.*" for all about one of: ${sent.join(', ')}.`
    return [{ pointer: `/event_kinds/${index}`, detail: `${quoted(kind)} is no kind of event. ${hint}` }]
  })
}

export const webhookDisabled = (name: string) =>
  conflict('webhook_disabled', `The webhook "${name}" is disabled. Enable it first.`)

export const presentWebhook = (webhook: Webhook) => ({
  object: 'webhook' as const,
  id: webhook.id,
  name: webhook.name,
  url: webhook.url,
  event_kinds: webhook.eventKinds,
  enabled: webhook.enabled,
  disabled_reason: webhook.disabledReason,
  failing_since: webhook.failingSince,
  previous_secret_until: webhook.previousSecretUntil,
  created_at: webhook.createdAt,
  updated_at: webhook.updatedAt,
})

export const presentDelivery = (delivery: Delivery) => ({
  object: 'webhook_delivery' as const,
  id: delivery.id,
  event_kind: delivery.kind,
  subject_type: delivery.subjectType,
  subject_id: delivery.subjectId,
  occurred_at: delivery.occurredAt,
  status: delivery.status,
  attempts: delivery.attempts,
  next_attempt_at: delivery.nextAttemptAt,
  last_attempt_at: delivery.lastAttemptAt,
  duration_ms: delivery.durationMs,
  response_status: delivery.responseStatus,
  response_excerpt: delivery.responseExcerpt,
  error: delivery.error,
})
