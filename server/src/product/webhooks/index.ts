import type { Slice } from '../../kernel/slice.ts'
import { startDeliveries } from './delivery/deliveries.ts'
import { registerWebhookRoutes } from './external-api.ts'
import { forgetOldDeliveries, stopWebhooks } from './queries.ts'
import { webhookSettings } from './settings.ts'

/** URLs that receive the events of a project: their settings and deliveries. */
export const webhooks: Slice = {
  name: 'webhooks',
  settings: webhookSettings,
  externalApi: registerWebhookRoutes,
  jobs: {
    forget_old_webhook_deliveries: {
      cron: '47 3 * * *',
      catchUp: true,
      run: (_payload, { db }) => forgetOldDeliveries(db),
    },
  },
  during: { 'project.deleted': ({ db, actor }) => stopWebhooks(db, actor.projectId) },
  background: startDeliveries,
}
