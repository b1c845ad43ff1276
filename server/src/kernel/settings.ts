import { type ModelSettings, NO_MODEL } from './model/settings.ts'

/** What an operator may set and slices need to know. It reaches them through the wiring. */
export interface Settings {
  model: ModelSettings
  /** Characters of content in one answer about a conversation. */
  conversationLimit: number
  integrations: IntegrationSettings
  /** How many automation runs a node has going on at once. */
  automationRuns: number
  /** What may be uploaded with reporting keys, in bytes; 0 for no limit. */
  reportUploads: { bytesPerHour: number; storedBytes: number }
  /** What credentials of others are sealed with; asked for only when there are some. */
  secretKey: () => Promise<string>
}

export interface IntegrationSettings {
  /** Programs that people may connect to, by name. */
  stdioCommands: Record<string, string[]>
  /** Whether servers in the operator's own network may be connected. */
  privateHosts: boolean
}

export const DEFAULT_SETTINGS: Settings = {
  model: NO_MODEL,
  conversationLimit: 200_000,
  integrations: { stdioCommands: {}, privateHosts: false },
  automationRuns: 4,
  reportUploads: { bytesPerHour: 1024 ** 3, storedBytes: 10 * 1024 ** 3 },
  secretKey: () => Promise.reject(new Error('There is no secret key.')),
}
