/**
 * What is connected to what (`connectedContext`), in both directions, and the register of everything that can be
 * connected. Slices enter what they make with `registerResources` and take it out with `removeResources`; a link goes
 * with either of its ends. It does not know what a resource says: that is read through the wiring.
 */
export { addContext, connectResources, expandContext, holdResource, replaceContext } from './actions.ts'
export { ContextLink, type Link, RESOURCE_TYPES, type ResourceType, ShownContextLink } from './link.ts'
export {
  type ContextFault,
  checkContext,
  contextOf,
  disconnectResources,
  findResources,
  linksIn,
  lockLinks,
  registerResources,
  removeResources,
} from './queries.ts'
