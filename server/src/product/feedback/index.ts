import type { Slice } from '../../kernel/slice.ts'
import { registerOwnFeedbackRoutes } from './app-api.ts'
import { feedbackOfProjectEvents, itemEvents, themeEvents, uploadEvents } from './events.ts'
import { registerFeedbackRoutes } from './external-api.ts'
import { SUGGEST, suggestThemes } from './inbox/suggestions.ts'
import { readItemTexts } from './items/item-queries.ts'
import { forgetUnusedUploads, removeLostUploads, UPLOADS } from './items/uploads.ts'
import { continueMailings, SEND, sendMails } from './mailings/sending.ts'
import { forgetRegroupings } from './regrouping/regrouping-queries.ts'
import { registerReportingRoutes } from './reporting-api.ts'
import { feedbackSettings } from './settings.ts'
import { restorableTheme } from './themes/restoring.ts'
import { readThemeTexts } from './themes/theme-queries.ts'
import { feedbackTools } from './tools.ts'
import { REGROUP } from './triage/engine.ts'
import { regroupFeedback } from './triage/regroup.ts'

/**
 * Customer feedback: items with their attachments, themes, the quotes that put an item into a theme, and
 * the mails that tell people what came of it. `links` owns
 * what a theme is connected to; `projects` knows who can be assigned.
 */
export const feedback: Slice = {
  name: 'feedback',
  events: [itemEvents, uploadEvents, themeEvents, feedbackOfProjectEvents],
  settings: feedbackSettings,
  externalApi: registerFeedbackRoutes,
  appApi: registerOwnFeedbackRoutes,
  tools: feedbackTools,
  reportingApi: registerReportingRoutes,
  jobs: {
    forget_theme_regroupings: { cron: '17 4 * * *', catchUp: true, run: (_payload, { db }) => forgetRegroupings(db) },
    forget_unused_feedback_uploads: { cron: '43 * * * *', run: (_payload, deps) => forgetUnusedUploads(deps) },
    continue_theme_mails: { cron: '* * * * *', run: continueMailings },
    [SEND]: { run: sendMails },
    [REGROUP]: { run: regroupFeedback },
    [SUGGEST]: { run: suggestThemes },
    remove_lost_feedback_uploads: {
      cron: '53 3 * * *',
      catchUp: true,
      run: (_payload, deps) => removeLostUploads(deps),
    },
  },
  resources: { theme: readThemeTexts, feedback_item: readItemTexts },
  restorable: { theme: restorableTheme },
  storePlace: UPLOADS,
}

export { countFeedback } from './count-queries.ts'
export {
  type FeedbackItem,
  ITEM_STATUSES,
  type ItemStatus,
  presentItem,
  presentItemSummary,
} from './items/feedback-item.ts'
export { ITEM_WORDS, listItems, searchItems } from './items/item-queries.ts'
export { loadItem, setFeedbackItemStatus } from './items/items.ts'
export type { Report } from './items/submission-queries.ts'
export { submitFeedback } from './items/submissions.ts'
export { keepUpload, UPLOADS } from './items/uploads.ts'
export { registerUnsubscribe } from './mailings/unsubscribe-route.ts'
export { movedFeedback } from './moved.ts'
export { isPerson } from './policy.ts'
export {
  assignTheme,
  clearFeature,
  linkWorkOrder,
  setFeature,
  unassignTheme,
  unlinkWorkOrder,
} from './themes/connections.ts'
export { loadTheme } from './themes/open-theme.ts'
export { listThemeQuotes } from './themes/quote-queries.ts'
export { linkItem, moveQuote, unlinkItem } from './themes/quotes.ts'
export {
  presentQuote,
  presentTheme,
  presentThemeSummary,
  type Quote,
  THEME_PRIORITIES,
  THEME_STATUSES,
  THEME_TYPES,
  type Theme,
  type ThemeSummary,
  type ThemeValues,
} from './themes/theme.ts'
export { listThemes, searchThemes, THEME_WORDS } from './themes/theme-queries.ts'
export { changeTheme, createTheme, deleteTheme } from './themes/themes.ts'
export { triageItem } from './triage/engine.ts'
export { countUnsorted, listUnsorted } from './triage/triage-queries.ts'
export { registerWidget } from './widget-route.ts'
