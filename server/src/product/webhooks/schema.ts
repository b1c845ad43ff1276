import { Type } from 'typebox'
import { Data, FilledText, Kind, Nullable, named, OneOf, Text, Time, Uuid } from '../../kernel/http/schema.ts'
import { DELIVERY_STATUSES } from './webhook.ts'

const Kinds = Type.Array(Text(100, { minLength: 3, examples: ['work_order.*'] }), { minItems: 1, maxItems: 100 })
const KINDS = 'The kinds of events to send, such as `work_order.created`, or `work_order.*`. Null for all.'

export const WebhookShape = named(
  'Webhook',
  Type.Object({
    object: Kind('webhook'),
    id: Uuid,
    name: Type.String({ examples: ['Release board'] }),
    url: Type.String({ examples: ['https://hooks.example.org/slipway'] }),
    event_kinds: Nullable(Type.Array(Type.String({ examples: ['work_order.*'] })), { description: KINDS }),
    enabled: Type.Boolean({ examples: [true] }),
    disabled_reason: Nullable(Type.String({ examples: [null] }), {
      description: 'Why Slipway disabled it. Null if it is enabled, or a person disabled it.',
    }),
    failing_since: Nullable(Time, { description: 'Since when every attempt fails. Null while it works.' }),
    previous_secret_until: Nullable(Time, {
      description: 'Until when the secret before the last rotation signs, too.',
    }),
    created_at: Time,
    updated_at: Time,
  }),
)

const Secret = Type.String({ description: 'Signs what is sent. Shown once.', examples: ['whsec_…'] })
export const WebhookData = Data(WebhookShape)
export const SecretData = Data(Type.Object({ webhook: WebhookShape, secret: Secret }))

export const DeliveryShape = named(
  'WebhookDelivery',
  Type.Object({
    object: Kind('webhook_delivery'),
    id: Type.String({ description: 'Of the event.', examples: ['4711'] }),
    event_kind: Type.String({ examples: ['work_order.created'] }),
    subject_type: Type.String({ examples: ['work_order'] }),
    subject_id: Uuid,
    occurred_at: Time,
    status: OneOf(DELIVERY_STATUSES),
    attempts: Type.Integer({ examples: [1] }),
    next_attempt_at: Nullable(Time, { description: 'Null unless it is pending.' }),
    last_attempt_at: Nullable(Time),
    duration_ms: Nullable(Type.Integer({ examples: [38] })),
    response_status: Nullable(Type.Integer({ examples: [204] })),
    response_excerpt: Nullable(Type.String({ description: 'The beginning of the answer.', examples: ['ok'] })),
    error: Nullable(Type.String({ examples: [null] }), { description: 'Why the last attempt failed.' }),
  }),
)

const url = Text(2_000, { minLength: 1, examples: ['https://hooks.example.org/slipway'] })
const name = FilledText(200, { examples: ['Release board'] })

export const NewWebhookBody = Type.Object({
  name,
  url,
  event_kinds: Type.Optional(Nullable(Kinds, { description: KINDS, examples: [['work_order.*']] })),
})

export const ChangeWebhookBody = Type.Object({
  name: Type.Optional(name),
  url: Type.Optional(url),
  event_kinds: Type.Optional(Nullable(Kinds, { description: KINDS, examples: [['work_order.*']] })),
  enabled: Type.Optional(
    Type.Boolean({ examples: [true], description: 'What happens while it is disabled is not sent later.' }),
  ),
})

export const WebhookParams = Type.Object({ webhook_id: Uuid })

const Place = { pattern: '^\\d{1,18}$', examples: ['4711'] }
export const DeliveryParams = Type.Object({ webhook_id: Uuid, delivery_id: Type.String(Place) })

export const DeliveryQuery = Type.Object({
  status: Type.Optional(OneOf(DELIVERY_STATUSES)),
  before: Type.Optional(Type.String({ ...Place, description: 'The `next_before` of the answer before.' })),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 50 }),
})

export const DeliveryList = Type.Object({
  items: Type.Array(DeliveryShape),
  next_before: Nullable(Type.String({ ...Place, description: 'Null at the end.' })),
})
