import { Type } from 'typebox'
import { Text, Uuid } from '../../kernel/http/schema.ts'
import type { MovedTable } from '../../kernel/moving/table.ts'
import { movedArtifacts } from '../artifacts/index.ts'
import { movedAutomations } from '../automations/index.ts'
import { movedCode } from '../code-hosts/index.ts'
import { movedConversations } from '../conversations/index.ts'
import { movedDocuments } from '../documents/index.ts'
import { movedFeedback } from '../feedback/index.ts'
import { movedIntegrations } from '../integrations/index.ts'
import { movedLinks } from '../links/index.ts'
import { movedCounters } from '../projects/index.ts'
import { movedRequirements } from '../requirements/index.ts'
import { movedWorkOrders } from '../work-orders/index.ts'
import { movedEvents } from './moved-events.ts'

/** Everything of a project that travels, in the order in which it can arrive. */
export const MOVED_TABLES: MovedTable[] = [
  ...movedCounters,
  ...movedLinks,
  ...movedArtifacts,
  ...movedDocuments,
  ...movedRequirements,
  ...movedWorkOrders,
  {
    name: 'imported_work_orders',
    row: Type.Object({ source: Text(100), external_key: Text(1_000), work_order_id: Uuid }),
    order: 't.source, t.external_key',
  },
  ...movedCode,
  ...movedFeedback,
  ...movedIntegrations,
  ...movedConversations,
  ...movedAutomations,
  movedEvents,
]

/** The tables of a project that stay behind, and why. */
export const LEFT_TABLES: Record<string, string> = {
  project_members: 'Who may come in is decided in each place.',
  invitations: 'Who may come in is decided in each place.',
  api_keys: 'Secrets. Only the names of keys travel, for the history.',
  webhooks: 'Their secrets. An import makes new ones.',
  webhook_deliveries: 'What was sent from this place.',
  code_hosts: 'Their secrets. Connect them again after an import.',
  code_host_receipts: 'What was received in this place.',
  oauth_grants: 'Who may come in is decided in each place. Only the names of programs travel, for the history.',
  oauth_tokens: 'Secrets.',
  agent_calls: 'Calls of keys and programs of this place.',
  replays: 'What a repeated request is answered, for a day.',
  rate_windows: 'Counts of requests per minute.',
  feedback_suggestions: 'Computed again when somebody looks.',
  feedback_upload_hours: 'Counts of the running hour.',
  project_models: 'Its secret, and what may be reached from this place.',
  person_usage: 'What people used in this place. The sums of the project travel.',
  model_reservations: 'Held by answers that are being made.',
  live_texts: 'Derived from the texts.',
  artifact_uploads: 'Files that are on their way to this place.',
  artifact_upload_parts: 'Files that are on their way to this place.',
  artifact_trash: 'What was deleted in this place and may come back there.',
  kept_rows: 'What was deleted in this place and may come back there.',
  theme_regroupings: 'What can be undone in this place for a while.',
  transfers: 'Exports and imports of this place.',
}
