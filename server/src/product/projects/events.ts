import { Type } from 'typebox'
import { ADMINS, defineEvents, event, Fields, inWords, MEMBERS, saysFields } from '../../kernel/event-kinds.ts'
import { Nullable, OneOf, Time, Uuid } from '../../kernel/http/schema.ts'
import { KEY_KINDS } from './key.ts'
import { PROJECT_ROLES } from './project.ts'

const Name = Type.String({ examples: ['Checkout'] })
const Role = OneOf(PROJECT_ROLES)

export const projectEvents = defineEvents(
  { name: 'project', title: 'The project', seenBy: MEMBERS },
  {
    created: event({ name: Name }, 'created {it}'),
    renamed: event({ from: Name, to: Name }, ({ from, to }) => `renamed {it} from “${from}” to “${to}”`),
    updated: event(
      { fields: Fields },
      saysFields({ automation_budget: 'the budget of the automations', model: 'the model' }),
    ),
    deleted: event({ name: Name }, 'deleted {it}'),
  },
)

export const memberEvents = defineEvents(
  { name: 'project_member', title: 'Members', subjectType: 'user', seenBy: MEMBERS },
  {
    added: event({ role: Role }, ({ role }) => `made {it} ${role} of the project`),
    role_changed: event({ from: Role, to: Role }, ({ from, to }) => `changed the role of {it} from ${from} to ${to}`),
    removed: event({ role: Role }, 'removed {it} from the project'),
  },
)

const Key = {
  kind: OneOf(KEY_KINDS),
  name: Type.String({ examples: ['Build'] }),
  user_id: Uuid,
  role: Nullable(Role),
  expires_at: Nullable(Time),
}

export const keyEvents = defineEvents(
  {
    name: 'api_key',
    title: 'API keys',
    seenBy: {
      who: 'admins and the owner of the key',
      may: ({ userId, role }, { payload }) => role === 'admin' || payload.user_id === userId,
    },
  },
  {
    created: event(
      { ...Key, replaces: Type.Optional(Type.Object({ id: Uuid, user_id: Uuid })) },
      ({ name, replaces }) => `${replaces ? 'rotated' : 'made'} the key “${name}”`,
    ),
    updated: event(Key, ({ name }) => `changed the origins of the key “${name}”`),
    revoked: event(Key, ({ name }) => `revoked the key “${name}”`),
  },
)

const Invitation = {
  role: Role,
  email: Nullable(Type.String({ examples: ['ada@example.org'] })),
  max_uses: Type.Integer({ examples: [1] }),
  expires_at: Time,
}
const invited = ({ email, role }: { email: string | null; role: string }) =>
  email === null ? `a link for ${inWords(role).toLowerCase()}s` : `the invitation of ${email}`

export const invitationEvents = defineEvents(
  { name: 'invitation', title: 'Invitations', seenBy: ADMINS },
  {
    created: event(Invitation, (one) => `made ${invited(one)}`),
    revoked: event(Invitation, (one) => `revoked ${invited(one)}`),
    accepted: event(Invitation, (one) => `accepted ${invited(one)}`),
  },
)
