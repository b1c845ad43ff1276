import { type Static, Type } from 'typebox'
import type { ProjectRole } from '../../../kernel/context.ts'
import { CreatedVia } from '../../../kernel/http/created-via.ts'
import { Nullable, named, OneOf, Time, Uuid } from '../../../kernel/http/schema.ts'

const Someone = Type.Object({ id: Uuid, name: Type.String({ examples: ['Ada Lovelace'] }) })

export const Actor = named(
  'ChangeActor',
  Type.Object({
    type: OneOf(['person', 'key', 'agent', 'automation', 'system']),
    id: Nullable(Uuid),
    name: Type.String({ examples: ['Ada Lovelace'] }),
    on_behalf_of: Nullable(Someone, { description: 'Whose rights a key, an agent or an automation used.' }),
  }),
)

export const ChangeShape = named(
  'Change',
  Type.Object({
    id: Type.String({ description: 'Of the event. The same change may arrive twice.', examples: ['4711'] }),
    kind: Type.String({ examples: ['work_order.updated'] }),
    subject_type: Type.String({ examples: ['work_order'] }),
    subject_id: Uuid,
    created_at: Time,
    request_id: Type.String({ examples: ['019a84d2-7c5e-7b31-9a60-2f4f5f6f7a81'] }),
    actor: Actor,
    created_via: CreatedVia,
    payload: Type.Object({}, { additionalProperties: true }),
  }),
)

/** Those who caused an event, with their names. */
export interface Caused {
  origin: string
  userId: string | null
  userName: string | null
  keyId: string | null
  keyName: string | null
  automationId: string | null
  automationName: string | null
}

export interface Change extends Caused {
  id: number
  kind: string
  subjectType: string
  subjectId: string
  createdAt: string
  requestId: string
  payload: Record<string, unknown>
  runId: string | null
}

export const presentChange = (change: Change) => ({
  id: String(change.id),
  kind: change.kind,
  subject_type: change.subjectType,
  subject_id: change.subjectId,
  created_at: change.createdAt,
  request_id: change.requestId,
  actor: presentActor(change),
  created_via: presentVia(change),
  payload: change.payload,
})

const presentVia = ({ automationId, automationName, runId }: Change) =>
  automationId === null || runId === null
    ? null
    : { automation_id: automationId, automation_name: automationName ?? 'Automation', run_id: runId }

export function presentActor(change: Caused): Static<typeof Actor> {
  const { userId, userName, keyId, keyName, automationId, automationName } = change
  const user = userId === null ? null : { id: userId, name: userName ?? 'Someone' }
  if (change.origin === 'automation' || (change.origin === 'agent' && automationId !== null))
    return { type: 'automation', id: automationId, name: automationName ?? 'Automation', on_behalf_of: user }
  if (change.origin === 'agent') return { type: 'agent', id: null, name: 'Agent', on_behalf_of: user }
  if (keyId !== null) return { type: 'key', id: keyId, name: keyName ?? 'Key', on_behalf_of: user }
  if (user) return { type: 'person', id: user.id, name: user.name, on_behalf_of: null }
  return { type: 'system', id: null, name: 'Slipway', on_behalf_of: null }
}

/** What every member of the project can read anyway. */
const SHARED = new Set([
  'artifact',
  'automation',
  'automation_run',
  'blueprint',
  'code_push',
  'feedback_item',
  'label',
  'phase',
  'project',
  'requirements_document',
  'theme',
  'user',
  'work_order',
])

/** What only some may see. Everything else is not sent, so that a new kind of event cannot leak. */
const RESTRICTED: Record<string, (reader: Reader, change: Change) => boolean> = {
  agent_conversation: ({ userId }, { payload }) => payload.shared === true || payload.owner_id === userId,
  api_key: ({ userId, role }, { payload }) => role === 'admin' || payload.user_id === userId,
  code_host: ({ role }) => role === 'admin',
  connected_app: ({ userId, role }, { payload }) => role === 'admin' || payload.user_id === userId,
  invitation: ({ role }) => role === 'admin',
  webhook: ({ role }) => role === 'admin',
  integration: ({ userId }, change) => change.userId === userId || change.payload.owner_id === userId,
  work_order_view: ({ userId }, { payload }) => payload.shared === true || payload.owner_id === userId,
  // Shown when the report that it belongs to is sent.
  feedback_upload: () => false,
}

/** The subjects that somebody has decided about. */
export const DECIDED = new Set([...SHARED, ...Object.keys(RESTRICTED)])

export interface Reader {
  userId: string
  role: ProjectRole
}

export const isShared = ({ subjectType }: Change) => SHARED.has(subjectType)

export const maySee = (reader: Reader, change: Change) =>
  isShared(change) || (RESTRICTED[change.subjectType]?.(reader, change) ?? false)
