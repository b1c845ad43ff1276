import { Type } from 'typebox'
import { OneOf, Text, Time, Uuid } from '../../kernel/http/schema.ts'
import { MaybeSomeone, type MovedTable, Whole } from '../../kernel/moving/table.ts'
import { STATUSES } from './approval/approval.ts'

export const movedRequirements: MovedTable[] = [
  {
    name: 'requirement_states',
    row: Type.Object({ document_id: Uuid, status: OneOf(STATUSES), owner_id: MaybeSomeone }),
    order: 't.document_id',
  },
  {
    name: 'requirement_approvals',
    row: Type.Object({
      id: Uuid,
      document_id: Uuid,
      version_id: Uuid,
      version_number: Whole,
      user_id: MaybeSomeone,
      approved_by_name: Text(1_000),
      approved_at: Time,
    }),
    order: 't.document_id, t.version_number, t.id',
  },
]
