import { Type } from 'typebox'
import { Text } from '../../kernel/http/schema.ts'
import { type MovedTable, Whole } from '../../kernel/moving/table.ts'

/** Members, invitations and keys stay: who may come in is decided in each place. */
export const movedCounters: MovedTable[] = [
  {
    name: 'counters',
    row: Type.Object({ name: Text(200), last_number: Whole, live: Whole }),
    order: 't.name',
  },
]
