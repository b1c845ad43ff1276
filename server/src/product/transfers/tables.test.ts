import { afterAll, beforeAll, expect, it } from 'vitest'
import { openWorkspace, type Workspace } from '../../../test/harness.ts'
import { columnsOf } from '../../kernel/moving/table.ts'
import { LEFT_TABLES, MOVED_TABLES } from './tables.ts'

let ws: Workspace
beforeAll(async () => {
  ws = await openWorkspace()
})
afterAll(() => ws.close())

/** The columns that stay behind, because they belong to the installation or are computed again. */
const LEFT_COLUMNS: Record<string, string[]> = {
  context_links: ['position'],
  link_confirmations: ['unlinked_by'],
  artifacts: ['content_key', 'file_text', 'text_read_at', 'kind'],
  artifact_versions: ['open_until'],
  document_versions: ['open_until'],
  document_changes: ['settled_at'],
  document_threads: ['deleted_at'],
  document_messages: ['deleted_at'],
  work_orders: ['search_text'],
  feedback_contacts: ['token'],
  work_order_claims: ['agent_id', 'agent_name'],
  feedback_uploads: ['store_key'],
  theme_mails: ['claimed_at'],
  themes: ['people_count'],
  quotes: ['person', 'reported_at'],
  integrations: ['sealed_token', 'checked_at', 'fault', 'tools'],
  conversations: ['turn_id', 'turn_started_at', 'turn_seen_at', 'turn_stop', 'turn_taken_up', 'queued'],
  agent_deeds: ['number'],
  automation_triggers: ['next_fire_at'],
  automation_runs: ['event_id', 'node_id', 'leased_until', 'reviewed_until'],
  events: ['id'],
}

it('every table and column of a project travels, or stays behind for a reason', async () => {
  const columns = await ws.sql<{ table: string; column: string }[]>`
    select table_name as table, column_name as column from information_schema.columns
    where table_schema = 'public' and column_name <> 'project_id' and table_name in (
      select table_name from information_schema.columns where table_schema = 'public' and column_name = 'project_id')`
  const left = columns.filter(({ table }) => !(table in LEFT_TABLES))
  const moved = MOVED_TABLES.flatMap((table) =>
    [...columnsOf(table), ...(LEFT_COLUMNS[table.name] ?? [])].map((column) => `${table.name}.${column}`),
  )
  expect(moved.sort()).toEqual(left.map(({ table, column }) => `${table}.${column}`).sort())
})
