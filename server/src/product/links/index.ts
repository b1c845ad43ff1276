/**
 * What is connected to what (`connectedContext`), in both directions, and the table of everything that can be
 * connected. Slices add what they create with `registerResources` and remove it with `removeResources`; deleting either
 * end deletes the link. The content of a resource is read through the wiring.
 */
import type { Slice } from '../../kernel/slice.ts'
import { connectionEvents } from './events.ts'

export const links: Slice = { name: 'links', events: Object.values(connectionEvents) }

export { addContext, connectResources, expandContext, holdResource, readTexts, replaceContext } from './actions.ts'
export { connectionEvents } from './events.ts'
export { ContextLink, type Link, RESOURCE_TYPES, type ResourceType, ShownContextLink } from './link.ts'
export { movedLinks } from './moved.ts'
export {
  type ConfirmedVersion,
  type ContextFault,
  checkContext,
  confirmVersions,
  contextOf,
  disconnectResources,
  findResources,
  linksIn,
  lockLinks,
  registerResources,
  removeResources,
} from './queries.ts'
