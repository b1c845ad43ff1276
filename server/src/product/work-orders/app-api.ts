import type { Face } from '../../kernel/http/request.ts'
import { registerClaimListRoute } from './claims/claims-app-api.ts'
import { registerRowRoutes } from './lists/rows-app-api.ts'
import { registerPlanningRoutes } from './planning/planning-app-api.ts'
import { registerViewRoutes } from './views/views-app-api.ts'

/** What only people do in the web: hold long lists, keep views of them, and manage phases and labels. */
export function registerOwnWorkOrderRoutes(face: Face) {
  registerRowRoutes(face)
  registerClaimListRoute(face)
  registerViewRoutes(face)
  registerPlanningRoutes(face)
}
