import type { Face } from '../../kernel/http/request.ts'
import { registerInboxRoutes } from './inbox/app-api.ts'
import { registerMailingRoutes } from './mailings/app-api.ts'
import { registerRegroupingRoutes } from './regrouping/app-api.ts'
import { registerThemeRowRoutes } from './themes/rows/app-api.ts'
import { registerWidgetOptionRoutes } from './widget-options/app-api.ts'

/** What only people do in the web. */
export function registerOwnFeedbackRoutes(face: Face) {
  registerInboxRoutes(face)
  registerThemeRowRoutes(face)
  registerRegroupingRoutes(face)
  registerMailingRoutes(face)
  registerWidgetOptionRoutes(face)
}
