import * as op from '../generated/operations/feedback.ts'
import type { Body, Call, Options, Query, Schemas } from '../operation.ts'

export type FeedbackItem = Schemas['FeedbackItem']
export type FeedbackItemSummary = Schemas['FeedbackItemSummary']
export type FeedbackAttachment = Schemas['FeedbackAttachment']
export type Theme = Schemas['Theme']
export type ThemeSummary = Schemas['ThemeSummary']
export type Mailing = Schemas['Mailing']
export type MailingDraft = Schemas['MailingDraft']
export type ThemeRow = Schemas['ThemeRow']
export type ThemeCounts = Schemas['ThemeCounts']
export type QuotedReport = Schemas['QuotedReport']
export type ThemeRegrouping = Schemas['ThemeRegrouping']
export type WidgetOptions = Schemas['WidgetOptions']
export type Quote = Schemas['Quote']
export type InboxItem = Schemas['InboxItem']
export type InboxReport = Schemas['InboxReport']
export type ThemeMark = Schemas['ThemeMark']
export type ThemeCandidate = Schemas['ThemeCandidate']

export const feedback = (call: Call) => ({
  /** List feedback items, newest first. */
  listItems: (query: Query<'listFeedbackItems'> = {}, options?: Options) =>
    call(op.listFeedbackItems, { query }, options),
  /** Read a feedback item. */
  getItem: (id: string, options?: Options) => call(op.getFeedbackItem, { path: { feedback_item_id: id } }, options),
  /** Set the status of a feedback item. */
  updateItem: (id: string, body: Body<'updateFeedbackItem'>, options?: Options) =>
    call(op.updateFeedbackItem, { path: { feedback_item_id: id }, body }, options),
  /** Say which themes a feedback item is in, and why. */
  getSorting: (id: string, options?: Options) =>
    call(op.getFeedbackItemSorting, { path: { feedback_item_id: id } }, options),
  /** Download an attachment. */
  downloadAttachment: (id: string, attachmentId: string, options?: Options) =>
    call.download(op.getFeedbackAttachment, { path: { feedback_item_id: id, attachment_id: attachmentId } }, options),
  /** The address of an attachment, for pages of the same origin. */
  attachmentUrl: (id: string, attachmentId: string) =>
    call.urlOf(op.getFeedbackAttachment, { path: { feedback_item_id: id, attachment_id: attachmentId } }),
  /** List all themes, newest first. */
  listThemes: (query: Query<'listThemes'> = {}, options?: Options) => call(op.listThemes, { query }, options),
  /** List themes with their people, trend, last quotes and what they are linked to. */
  listThemeRows: (query: Query<'listThemeRows'> = {}, options?: Options) => call(op.listThemeRows, { query }, options),
  /** Count themes by status and feature. */
  countThemes: (options?: Options) => call(op.countThemes, {}, options),
  /** List the quotes of a theme with their reports, newest first. */
  listQuotedReports: (id: string, query: Query<'listQuotedReports'> = {}, options?: Options) =>
    call(op.listQuotedReports, { path: { theme_id: id }, query }, options),
  /** Merge a theme into another one. */
  mergeTheme: (id: string, body: Body<'mergeTheme'>, options?: Options) =>
    call(op.mergeTheme, { path: { theme_id: id }, body }, options),
  /** Move some quotes to a new theme. */
  splitTheme: (id: string, body: Body<'splitTheme'>, options?: Options) =>
    call(op.splitTheme, { path: { theme_id: id }, body }, options),
  /** Suggest which quotes of a theme could be a theme of their own. */
  getSplitSuggestion: (id: string, options?: Options) =>
    call(op.suggestThemeSplit, { path: { theme_id: id } }, options),
  /** Move some quotes to another theme. */
  moveQuotes: (id: string, body: Body<'moveThemeQuotes'>, options?: Options) =>
    call(op.moveThemeQuotes, { path: { theme_id: id }, body }, options),
  /** Undo a merge, a split or a move. */
  undoRegrouping: (id: string, options?: Options) =>
    call(op.undoThemeRegrouping, { path: { regrouping_id: id } }, options),
  /** Create a work order from a theme. */
  createWorkOrder: (id: string, options?: Options) =>
    call(op.createWorkOrderFromTheme, { path: { theme_id: id } }, options),
  /** Create a feature document from a theme. */
  createRequirement: (id: string, options?: Options) =>
    call(op.createRequirementFromTheme, { path: { theme_id: id } }, options),
  /** Read what could be sent to the people of a theme. */
  getMailingDraft: (id: string, query: Query<'getMailingDraft'> = {}, options?: Options) =>
    call(op.getMailingDraft, { path: { theme_id: id }, query }, options),
  /** List what the people of a theme were told, newest first. */
  listMailings: (id: string, options?: Options) => call(op.listMailings, { path: { theme_id: id } }, options),
  /** Tell the people of a theme that its work is done. */
  createMailing: (id: string, body: Body<'createMailing'>, options?: Options) =>
    call(op.createMailing, { path: { theme_id: id }, body }, options),
  /** Send the mails that failed once more. */
  retryMailing: (id: string, body: Body<'retryMailing'> = {}, options?: Options) =>
    call(op.retryMailing, { path: { mailing_id: id }, body }, options),
  /** List the mails of a mailing as they are sent, to send them by hand. */
  listWrittenMails: (id: string, options?: Options) => call(op.listWrittenMails, { path: { mailing_id: id } }, options),
  /** Read how the widget of the project looks. */
  getWidgetOptions: (options?: Options) => call(op.getWidgetOptions, {}, options),
  /** Change how the widget of the project looks. */
  setWidgetOptions: (body: Body<'setWidgetOptions'>, options?: Options) => call(op.setWidgetOptions, { body }, options),
  /** Read a theme. */
  getTheme: (id: string, options?: Options) => call(op.getTheme, { path: { theme_id: id } }, options),
  /** Create a theme. */
  createTheme: (body: Body<'createTheme'>, options?: Options) => call(op.createTheme, { body }, options),
  /** Change a theme. */
  updateTheme: (id: string, body: Body<'updateTheme'>, options?: Options) =>
    call(op.updateTheme, { path: { theme_id: id }, body }, options),
  /** Delete a theme and its quotes. */
  deleteTheme: (id: string, options?: Options) => call(op.deleteTheme, { path: { theme_id: id } }, options),
  /** Delete a theme so that it can be brought back. */
  removeTheme: (id: string, options?: Options) => call(op.removeTheme, { path: { theme_id: id } }, options),
  /** Suggest a theme that says the same. */
  getMergeSuggestion: (id: string, options?: Options) =>
    call(op.suggestThemeMerge, { path: { theme_id: id } }, options),
  /** Put a feedback item into a theme. */
  linkItem: (id: string, body: Body<'linkFeedbackItem'>, options?: Options) =>
    call(op.linkFeedbackItem, { path: { theme_id: id }, body }, options),
  /** List the quotes of a theme. */
  listQuotes: (id: string, query: Query<'listThemeQuotes'> = {}, options?: Options) =>
    call(op.listThemeQuotes, { path: { theme_id: id }, query }, options),
  /** List when and why a theme was made, merged or divided. */
  listThemeHistory: (id: string, options?: Options) => call(op.listThemeHistory, { path: { theme_id: id } }, options),
  /** Take a feedback item out of a theme. */
  unlinkItem: (id: string, feedbackItemId: string, options?: Options) =>
    call(op.unlinkFeedbackItem, { path: { theme_id: id, feedback_item_id: feedbackItemId } }, options),
  /** Link a work order to a theme. */
  linkWorkOrder: (id: string, body: Body<'linkThemeWorkOrder'>, options?: Options) =>
    call(op.linkThemeWorkOrder, { path: { theme_id: id }, body }, options),
  /** Unlink a work order from a theme. */
  unlinkWorkOrder: (id: string, workOrderId: string, options?: Options) =>
    call(op.unlinkThemeWorkOrder, { path: { theme_id: id, work_order_id: workOrderId } }, options),
  /** Set the feature document of a theme. */
  setFeature: (id: string, body: Body<'setThemeFeature'>, options?: Options) =>
    call(op.setThemeFeature, { path: { theme_id: id }, body }, options),
  /** Clear the feature document of a theme. */
  clearFeature: (id: string, options?: Options) => call(op.clearThemeFeature, { path: { theme_id: id } }, options),
  /** Assign a theme to a member, by id or e-mail. */
  assignTheme: (id: string, body: Body<'assignTheme'>, options?: Options) =>
    call(op.assignTheme, { path: { theme_id: id }, body }, options),
  /** Assign a theme to nobody. */
  unassignTheme: (id: string, options?: Options) => call(op.unassignTheme, { path: { theme_id: id } }, options),
  /** List reports with what an inbox shows of them. */
  listInbox: (query: Query<'listInbox'> = {}, options?: Options) => call(op.listInbox, { query }, options),
  /** Read a report with all that helps to sort it, by its number. */
  getReport: (number: number, options?: Options) => call(op.getInboxReport, { path: { number } }, options),
  /** List what reports came through. */
  listSources: (options?: Options) => call(op.listFeedbackSources, {}, options),
  /** Count the reports of the last 30 days by what they came through. */
  countSourceReports: (query: Query<'countSourceReports'>, options?: Options) =>
    call(op.countSourceReports, { query }, options),
  /** Upload a file for a report that is added by hand. */
  uploadFile: (file: File, options?: Options) =>
    call(op.uploadInboxFile, { form: { fields: {}, file, name: file.name, type: file.type } } as never, options),
  /** Put reports into a theme, or into a new one. */
  linkItems: (body: Body<'linkFeedbackItems'>, options?: Options) => call(op.linkFeedbackItems, { body }, options),
  /** Undo putting reports into a theme. */
  takeBackLinks: (body: Body<'takeBackFeedbackLinks'>, options?: Options) =>
    call(op.takeBackFeedbackLinks, { body }, options),
  /** Set reports aside without a theme, or take that back. */
  sortItems: (body: Body<'sortFeedbackItems'>, options?: Options) => call(op.sortFeedbackItems, { body }, options),
  /** Add what somebody said in a call, a mail or a meeting. */
  addItem: (body: Body<'addFeedbackItem'>, options?: Options) => call(op.addFeedbackItem, { body }, options),
})
