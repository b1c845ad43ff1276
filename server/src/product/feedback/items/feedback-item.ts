import { cut, firstCharacters } from '../../../engines/text/characters.ts'
import { type Linking, linkTo } from '../../../kernel/http/links.ts'
import { beginningOf, snippetOf } from '../../documents/index.ts'
import type { Link } from '../../links/index.ts'

export const ITEM_STATUSES = ['to_process', 'processed'] as const
export type ItemStatus = (typeof ITEM_STATUSES)[number]

export const TITLE_LENGTH = 80
export const EXCERPT_LENGTH = 280
/** How much of the content `titleOf` reads. */
const TITLE_SOURCE_LENGTH = 2_000

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
  /** Its themes first, then everything else that is connected to it. */
  context: Link[]
}

/** Markdown does not change the meaning of a line that has only these characters and starts with a letter. */
const PLAIN = /^\p{L}[\p{L}\p{N} .,;:'"?!%/()-]*$/u

/** Returns the first line with text, without its markdown. */
export function titleOf(content: string): string {
  const lines = beginningOf(content, TITLE_SOURCE_LENGTH).split(/\r\n|\r|\n/)
  for (const line of lines) {
    const title = PLAIN.test(line) ? cut(line.trim().replace(/ +/g, ' '), TITLE_LENGTH) : snippetOf(line, TITLE_LENGTH)
    if (title !== '') return title
  }
  return cut(content.trim().split(/[\r\n]/, 1)[0]!, TITLE_LENGTH)
}

/** The text of a quote when the caller does not choose one. */
export const excerptOf = (content: string) => firstCharacters(content, EXCERPT_LENGTH)

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

export const presentAttachments = (item: Pick<FeedbackItem, 'id' | 'attachments'>, ctx: Linking) =>
  item.attachments.map((one) => ({
    id: one.id,
    file_name: one.fileName,
    file_url: linkTo(ctx, `/feedback/items/${item.id}/attachments/${one.id}/content`),
    file_size: one.fileSize,
    mime_type: one.mimeType,
  }))

export const presentItem = (item: FeedbackItem, ctx: Linking) => ({
  ...presentItemSummary(item),
  markdown_content: item.markdownContent,
  attachments: presentAttachments(item, ctx),
  connectedContext: item.context,
})
