import { Type } from 'typebox'
import { OneOf, Text, Time, Uuid } from '../http/schema.ts'
import { Fields, MaybeKey, MaybeSomeone, type MovedTable } from './table.ts'

/** What the log says about access to a project. It stays, as access itself does. */
const ACCESS = ['project', 'user', 'invitation', 'api_key']
const accessList = ACCESS.map((one) => `'${one}'`).join(', ')

export const movedEvents: MovedTable = {
  name: 'events',
  row: Type.Object({
    kind: Text(200),
    subject_type: Text(200),
    subject_id: Uuid,
    user_id: MaybeSomeone,
    key_id: MaybeKey,
    origin: OneOf(['user', 'external_api', 'mcp', 'agent', 'automation', 'system']),
    request_id: Text(200),
    payload: Fields,
    created_at: Time,
  }),
  where: `t.subject_type not in (${accessList})`,
  order: 't.id',
}

/** Selects what somebody has done in a project besides deciding who may come in. */
export const DONE_BY_SOMEBODY = `select from events t where t.project_id = $1 and t.origin <> 'system'
  and ${movedEvents.where}`
