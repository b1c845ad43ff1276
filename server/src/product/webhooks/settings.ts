import type { SliceSettings } from '../../kernel/settings.ts'

export const PRIVATE_HOSTS_SETTING = 'WEBHOOK_PRIVATE_HOSTS'

export const webhookSettings: SliceSettings<{
  /** Whether webhooks may be sent into the operator's own network. */
  privateHosts: boolean
}> = {
  read: (env) => ({ privateHosts: env.text(PRIVATE_HOSTS_SETTING, 'off') === 'on' }),
}
