import type { Slice } from '../../kernel/slice.ts'
import { delivering } from './delivery/deliver.ts'
import { queueDeliveries, resumeDeliveries } from './delivery/delivery-queries.ts'
import { webhookEvents } from './events.ts'
import { registerWebhookRoutes } from './external-api.ts'
import { forgetOldDeliveries, stopWebhooks } from './queries.ts'
import { webhookSettings } from './settings.ts'
import { DELIVER } from './webhook.ts'

/** URLs that receive the events of a project: their settings and deliveries. */
export const webhooks: Slice = {
  name: 'webhooks',
  events: [webhookEvents],
  settings: webhookSettings,
  externalApi: registerWebhookRoutes,
  alongside: { [DELIVER]: queueDeliveries },
  jobs: {
    [DELIVER]: delivering(),
    resume_webhook_deliveries: { cron: '* * * * *', run: (_payload, { db }) => resumeDeliveries(db) },
    forget_old_webhook_deliveries: {
      cron: '47 3 * * *',
      catchUp: true,
      run: (_payload, { db }) => forgetOldDeliveries(db),
    },
  },
  during: { 'project.deleted': ({ db, actor }) => stopWebhooks(db, actor.projectId) },
}
