import { type Static, Type } from 'typebox'
import type { ProjectRole } from '../../../kernel/context.ts'
import { type EventRegister, findGroup, MEMBERS, sayEvent } from '../../../kernel/event-kinds.ts'
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
    sentence: Nullable(Type.String({ examples: ['moved {it} from Ready to In progress'] }), {
      description:
        'What happened, as the end of a sentence that begins with who did it. `{it}` stands for the subject. Null if there is nothing to say.',
    }),
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

export function presentChange(events: EventRegister, change: Change) {
  const actor = presentActor(change)
  return {
    id: String(change.id),
    kind: change.kind,
    subject_type: change.subjectType,
    subject_id: change.subjectId,
    created_at: change.createdAt,
    request_id: change.requestId,
    actor,
    created_via: presentVia(change),
    payload: change.payload,
    sentence: sayEvent(events, change, actor.name) ?? null,
  }
}

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

export interface Reader {
  userId: string
  role: ProjectRole
}

export const isShared = (events: EventRegister, { kind }: Change) => findGroup(events, kind)?.seenBy === MEMBERS

export const maySee = (events: EventRegister, reader: Reader, change: Change) =>
  findGroup(events, change.kind)?.seenBy.may(reader, change) ?? false
