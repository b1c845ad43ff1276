import type { ItemStatus } from '../items/feedback-item.ts'
import { displayFeedbackNumber } from '../items/feedback-item.ts'
import { displayThemeNumber, type ThemeStatus } from '../themes/theme.ts'

/** How a member who adds a report by hand heard of it. */
export const HAND_SOURCES = ['Call', 'E-mail', 'Meeting', 'Chat', 'Letter', 'Other'] as const
export type HandSource = (typeof HAND_SOURCES)[number]

export interface ThemeMark {
  id: string
  number: number
  title: string
  status: ThemeStatus
}

/** A report as a list shows it. */
export interface InboxItem {
  id: string
  feedbackNumber: number
  title: string
  status: ItemStatus
  endUserEmail: string
  source: string
  isByHand: boolean
  createdAt: string
  attachmentCount: number
  themes: ThemeMark[]
  /** Where it may belong. Null if nothing is like it, or nobody has computed it yet. */
  suggested: ThemeMark | null
  /** It has yet to be computed. */
  isSuggestionDue: boolean
}

export const presentMark = ({ id, number, title, status }: ThemeMark) => ({
  id,
  display_id: displayThemeNumber(number),
  number,
  title,
  status,
})

export const presentInboxItem = (item: InboxItem) => ({
  object: 'inbox_item' as const,
  id: item.id,
  number: item.feedbackNumber,
  display_id: displayFeedbackNumber(item.feedbackNumber),
  title: item.title,
  status: item.status,
  end_user_email: item.endUserEmail,
  source: item.source,
  is_by_hand: item.isByHand,
  created_at: item.createdAt,
  attachment_count: item.attachmentCount,
  themes: item.themes.map(presentMark),
  suggested_theme: item.suggested && presentMark(item.suggested),
  is_suggestion_due: item.isSuggestionDue,
})
