import { defineEvents, event } from '../../kernel/event-kinds.ts'
import { OneOf, Uuid } from '../../kernel/http/schema.ts'
import { RESOURCE_TYPES, type ResourceType } from './link.ts'

const OtherEnd = { resource_type: OneOf(RESOURCE_TYPES), resource_id: Uuid }

const defineConnectionEvents = (type: ResourceType) =>
  defineEvents(type, {
    connected: event(OtherEnd, 'changed what is connected to {it}'),
    disconnected: event(OtherEnd, 'changed what is connected to {it}'),
    connection_confirmed: event(OtherEnd, 'confirmed a connection of {it}'),
  })

/** For each end of a link, by its type. */
export const connectionEvents = Object.fromEntries(
  RESOURCE_TYPES.map((type) => [type, defineConnectionEvents(type)]),
) as Record<ResourceType, ReturnType<typeof defineConnectionEvents>>
