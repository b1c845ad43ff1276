import { cut, plainText } from '../kernel/plain-text.ts'
import type { Link } from '../links/index.ts'

export const ITEM_STATUSES = ['to_process', 'processed'] as const
export type ItemStatus = (typeof ITEM_STATUSES)[number]

export const TITLE_LENGTH = 80
export const EXCERPT_LENGTH = 280
const LINES_READ = 50

export interface FeedbackItemSummary {
  id: string
  feedbackNumber: number
  title: string
  status: ItemStatus
  endUserEmail: string
  createdAt: string
}

export interface Attachment {
  id: string
  fileName: string
  fileSize: number
  mimeType: string
}

export interface FeedbackItem extends FeedbackItemSummary {
  markdownContent: string
  attachments: Attachment[]
  /** Its themes, then whatever else was connected to it. */
  context: Link[]
}

/** The first line that says something, without its markdown. */
export function titleOf(content: string): string {
  const lines = content.slice(0, 20_000).split(/\r\n|\r|\n/, LINES_READ)
  for (const line of lines) {
    const title = plainText(line, TITLE_LENGTH)
    if (title !== '') return title
  }
  return cut(content.trim().split(/[\r\n]/, 1)[0]!, TITLE_LENGTH)
}

/** What a quote says when nobody chose the words. */
export const excerptOf = (content: string) =>
  [...content.slice(0, EXCERPT_LENGTH * 2)].slice(0, EXCERPT_LENGTH).join('').toWellFormed()

export const displayFeedbackNumber = (number: number) => `FB-${number}`

export const presentItemSummary = (item: FeedbackItemSummary) => ({
  object: 'feedback_item' as const,
  id: item.id,
  display_id: displayFeedbackNumber(item.feedbackNumber),
  title: item.title,
  status: item.status,
  end_user_email: item.endUserEmail,
  created_at: item.createdAt,
})

export const presentItem = (item: FeedbackItem, baseUrl: string) => ({
  ...presentItemSummary(item),
  markdown_content: item.markdownContent,
  attachments: item.attachments.map((one) => ({
    id: one.id,
    file_name: one.fileName,
    file_url: `${baseUrl}/v2/external-api/feedback/items/${item.id}/attachments/${one.id}/content`,
    file_size: one.fileSize,
    mime_type: one.mimeType,
  })),
  connectedContext: item.context,
})
