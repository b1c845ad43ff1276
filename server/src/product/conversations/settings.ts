import type { SliceSettings } from '../../kernel/settings.ts'

export const conversationSettings: SliceSettings<{
  /** Characters of content in one answer about a conversation. */
  characters: number
  /** Whether admins of projects may name model servers in the operator's own network. */
  privateModelHosts: boolean
}> = {
  read: (env) => ({
    characters: env.whole('CONVERSATION_LIMIT', 200_000, 1_000, Number.MAX_SAFE_INTEGER),
    privateModelHosts: env.text('MODEL_PRIVATE_HOSTS', 'off') === 'on',
  }),
}
