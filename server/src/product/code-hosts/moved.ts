import { Type } from 'typebox'
import { Nullable, OneOf, Text, Time, Uuid } from '../../kernel/http/schema.ts'
import type { MovedTable } from '../../kernel/moving/table.ts'

const Name = Text(1_000)

/** The hosts themselves stay: what they sign with is a secret, and they know only the address of this place. */
export const movedCode: MovedTable[] = [
  {
    name: 'work_order_code',
    row: Type.Object({
      work_order_id: Uuid,
      kind: OneOf(['commit', 'pull_request']),
      repository: Name,
      reference: Name,
      title: Text(10_000),
      url: Text(4_000, { pattern: '^https?://' }),
      author: Nullable(Name),
      state: Nullable(OneOf(['draft', 'open', 'merged', 'closed'])),
      changed_at: Time,
    }),
    order: 't.work_order_id, t.kind, t.repository, t.reference',
  },
]
