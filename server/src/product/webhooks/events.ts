import { Type } from 'typebox'
import { ADMINS, defineEvents, event } from '../../kernel/event-kinds.ts'
import { Nullable } from '../../kernel/http/schema.ts'

/** The address itself may be a secret, so only its host is shown to others. */
const Webhook = {
  name: Type.String({ examples: ['Release board'] }),
  host: Type.String({ examples: ['hooks.example.org'] }),
  enabled: Type.Boolean({ examples: [true] }),
  disabled_reason: Nullable(Type.String({ examples: ['It answered 410 Gone.'] })),
}

export const webhookEvents = defineEvents(
  { name: 'webhook', title: 'Other webhooks', seenBy: ADMINS },
  {
    created: event(Webhook, ({ name }) => `added the webhook “${name}”`),
    updated: event(Webhook, ({ name }) => `changed the webhook “${name}”`),
    deleted: event(Webhook, ({ name }) => `deleted the webhook “${name}”`),
    disabled: event(Webhook, ({ name }) => `disabled the webhook “${name}”`),
    secret_rotated: event(Webhook, ({ name }) => `rotated the secret of the webhook “${name}”`),
    // Sent to one webhook only, to see whether it answers.
    ping: event(Webhook, ({ name }) => `tested the webhook “${name}”`),
  },
)
