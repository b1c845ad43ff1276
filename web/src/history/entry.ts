export type { HistoryEntry } from '@slipway/sdk'
