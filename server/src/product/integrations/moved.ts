import { Type } from 'typebox'
import { Nullable, Text, Time } from '../../kernel/http/schema.ts'
import { MaybeTime, type MovedTable, Someone } from '../../kernel/moving/table.ts'

/** Without what they are reached with: the tokens stay, and what an address may contain besides the place. */
export const movedIntegrations: MovedTable[] = [
  {
    name: 'integrations',
    row: Type.Object({
      id: Text(200),
      owner_id: Someone,
      display_name: Text(1_000),
      url: Nullable(Text(4_000)),
      command_name: Nullable(Text(1_000)),
      created_at: Time,
      removed_at: MaybeTime,
    }),
    instead: { url: `regexp_replace(regexp_replace(t.url, '[?#].*$', ''), '//[^/@]*@', '//')` },
    order: 't.created_at, t.id',
    // Their owners connect them again. Until then they count as removed, so that what was granted keeps its name.
    arrive: (row) => ({ ...row, removed_at: row.removed_at ?? new Date().toISOString() }),
  },
]
