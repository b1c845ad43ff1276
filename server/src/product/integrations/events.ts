import { Type } from 'typebox'
import { defineEvents, event } from '../../kernel/event-kinds.ts'
import { Uuid } from '../../kernel/http/schema.ts'

const Title = Type.String({ examples: ['Issue tracker'] })

export const integrationEvents = defineEvents(
  {
    name: 'integration',
    title: 'Integrations',
    seenBy: {
      who: 'admins, its owner and who caused the event',
      may: ({ userId, role }, event) =>
        role === 'admin' || event.userId === userId || event.payload.owner_id === userId,
    },
    isPrivate: true,
  },
  {
    connected: event({ title: Title, owner_id: Uuid }, ({ title }) => `connected ${title}`),
    reconnected: event({ title: Title }, ({ title }) => `connected ${title} again`),
    removed: event({ title: Title, owner_id: Uuid }, ({ title }) => `disconnected ${title}`),
    called: event(
      {
        title: Type.String({ examples: ['Issue tracker: add_issue'] }),
        tool: Type.String({ examples: ['add_issue'] }),
      },
      ({ title }) => `called ${title}`,
    ),
  },
)
