import { Type } from 'typebox'
import { OneOf, Time, Uuid } from '../../kernel/http/schema.ts'
import { MaybeSomeone, type MovedTable, Whole } from '../../kernel/moving/table.ts'
import { RESOURCE_TYPES } from './link.ts'

/** Before everything that can be connected, so that the trigger of new links finds nothing to confirm. */
export const movedLinks: MovedTable[] = [
  {
    name: 'resources',
    row: Type.Object({ id: Uuid, resource_type: OneOf(RESOURCE_TYPES) }),
    order: 't.id',
  },
  {
    name: 'context_links',
    row: Type.Object({ from_id: Uuid, to_id: Uuid, to_type: OneOf(RESOURCE_TYPES) }),
    order: 't.position',
    rules: [
      {
        fault: 'A link names another type than that of the thing it leads to.',
        broken: `select from context_links l join resources r on r.project_id = l.project_id and r.id = l.to_id
          where l.project_id = $1 and l.to_type <> r.resource_type`,
      },
      {
        fault: 'A link has only one direction.',
        broken: `select from context_links l where l.project_id = $1 and not exists (select from context_links b
          where b.project_id = l.project_id and b.from_id = l.to_id and b.to_id = l.from_id)`,
      },
    ],
  },
  {
    name: 'link_confirmations',
    row: Type.Object({
      from_id: Uuid,
      to_id: Uuid,
      version_number: Whole,
      confirmed_at: Time,
      confirmed_by: MaybeSomeone,
    }),
    where: 't.unlinked_by is null',
    order: 't.from_id, t.to_id',
  },
]
