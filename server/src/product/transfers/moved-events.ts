import { Type } from 'typebox'
import { OneOf, Text, Time, Uuid } from '../../kernel/http/schema.ts'
import { Fields, MaybeKey, MaybeSomeone, type MovedTable } from '../../kernel/moving/table.ts'

/** Who may come in. The log of it stays, as access itself does. */
const ACCESS = ['project', 'user', 'invitation', 'api_key', 'connected_app']
/** The same for what is known elsewhere by a secret and an address of this place. */
const STAYING = [...ACCESS, 'webhook', 'code_host']
const listed = (types: string[]) => types.map((one) => `'${one}'`).join(', ')

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
  where: `t.subject_type not in (${listed(STAYING)})`,
  // The log also names people and keys that are gone.
  instead: {
    user_id: '(select u.id from users u where u.id = t.user_id)',
    key_id: `(select k.id from api_keys k where k.project_id = t.project_id and k.id = t.key_id union all
      select g.id from oauth_grants g where g.project_id = t.project_id and g.id = t.key_id)`,
  },
  order: 't.id',
}

/** Selects what somebody has done in a project besides deciding who may come in. */
export const DONE_BY_SOMEBODY = `select from events t where t.project_id = $1 and t.origin <> 'system'
  and t.subject_type not in (${listed(ACCESS)})`
