import { Type } from 'typebox'
import { defineEvents, event } from '../../kernel/event-kinds.ts'
import { OneOf, Uuid } from '../../kernel/http/schema.ts'
import { SCOPES } from './metadata.ts'

const App = { name: Type.String({ examples: ['Claude Code'] }), user_id: Uuid, scope: OneOf(SCOPES) }

export const appEvents = defineEvents(
  {
    name: 'connected_app',
    title: 'Connected apps',
    seenBy: {
      who: 'admins and who connected the app',
      may: ({ userId, role }, { payload }) => role === 'admin' || payload.user_id === userId,
    },
  },
  {
    added: event(App, ({ name }) => `connected ${name}`),
    removed: event(
      { ...App, reason: Type.String({ description: 'Why.', examples: ['member_removed'] }) },
      ({ name }) => `ended the access of ${name}`,
    ),
  },
)
