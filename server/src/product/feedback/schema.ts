import { Type } from 'typebox'
import { ExpectedTitle, expected } from '../../kernel/expected.ts'
import { FilePart } from '../../kernel/http/bodies/multipart.ts'
import { Paged, PageQuery } from '../../kernel/http/paging.ts'
import {
  Data,
  FilledText,
  Items,
  Kind,
  Markdown,
  Nullable,
  named,
  OneOf,
  Text,
  Time,
  Title,
  Uuid,
} from '../../kernel/http/schema.ts'
import { ShownContextLink } from '../links/index.ts'
import { PersonShape } from '../work-orders/index.ts'
import { ITEM_STATUSES } from './items/feedback-item.ts'
import { THEME_PRIORITIES, THEME_STATUSES, THEME_TYPES } from './themes/theme.ts'

export const MOST_WORDS = 100_000

const itemFields = {
  object: Kind('feedback_item'),
  id: Uuid,
  display_id: Type.String({ examples: ['FB-7'] }),
  title: Type.String({ examples: ['The total is off by a cent'] }),
  status: OneOf(ITEM_STATUSES),
  end_user_email: Type.String({ examples: ['customer@example.org'] }),
  created_at: Time,
}

export const Attachment = named(
  'FeedbackAttachment',
  Type.Object({
    id: Uuid,
    file_name: Type.String({ examples: ['checkout.png'] }),
    file_url: Type.String({ examples: ['https://slipway.example.org/v2/external-api/feedback/items/…/content'] }),
    file_size: Type.Integer({ examples: [48213] }),
    mime_type: Type.String({ examples: ['image/png'] }),
  }),
)

export const FeedbackItemSummary = named('FeedbackItemSummary', Type.Object(itemFields))
export const FeedbackItem = named(
  'FeedbackItem',
  Type.Object({
    ...itemFields,
    markdown_content: Type.String({ examples: ['The total is off by a cent when I use a coupon.'] }),
    attachments: Type.Array(Attachment),
    connectedContext: Type.Array(ShownContextLink),
  }),
)

const themeFields = {
  object: Kind('theme'),
  id: Uuid,
  display_id: Type.String({ examples: ['TH-3'] }),
  title: Type.String({ examples: ['Totals are off by a cent'] }),
  status: OneOf(THEME_STATUSES),
  type: OneOf(THEME_TYPES),
  priority: OneOf(THEME_PRIORITIES),
  quote_count: Type.Integer({ examples: [4] }),
  linked_work_order_count: Type.Integer({ examples: [1] }),
  feature_requirements_document_id: Nullable(Uuid),
  assignee: Nullable(PersonShape),
}

export const ThemeSummary = named('ThemeSummary', Type.Object(themeFields))
export const Theme = named(
  'Theme',
  Type.Object({
    ...themeFields,
    description: Type.String({ examples: ['Rounding happens once for each line.'] }),
    markdown_content: Type.String({ examples: ['Seen with coupons only.\n'] }),
    connectedContext: Type.Array(ShownContextLink),
  }),
)

export const Quote = named(
  'Quote',
  Type.Object({
    object: Kind('quote'),
    id: Uuid,
    feedback_item_id: Uuid,
    theme_id: Uuid,
    text_excerpt: Type.String({ examples: ['off by a cent when I use a coupon'] }),
    created_at: Time,
  }),
)

export const ItemPage = Paged(FeedbackItemSummary)
export const ItemData = Data(FeedbackItem)
export const ThemeItems = Items(ThemeSummary)
export const ThemeData = Data(Theme)
export const QuoteData = Data(Quote)
export const QuotePage = Paged(Quote)

export const ItemParams = Type.Object({ feedback_item_id: Uuid })
export const AttachmentParams = Type.Object({ feedback_item_id: Uuid, attachment_id: Uuid })
export const ThemeParams = Type.Object({ theme_id: Uuid })
export const LinkParams = Type.Object({ theme_id: Uuid, feedback_item_id: Uuid })
export const WorkOrderLinkParams = Type.Object({ theme_id: Uuid, work_order_id: Uuid })

export const ItemQuery = Type.Object({
  status: Type.Optional(Nullable(OneOf(ITEM_STATUSES), { description: 'Only items with this status.' })),
  ...PageQuery,
})
export const ThemeQuery = Type.Object({
  status: Type.Optional(Nullable(OneOf(THEME_STATUSES), { description: 'Only themes with this status.' })),
})

export const ItemBody = Type.Partial(Type.Object({ status: OneOf(ITEM_STATUSES) }))

const themeValues = {
  title: Title({ examples: ['Totals are off by a cent'] }),
  type: OneOf(THEME_TYPES),
  priority: OneOf(THEME_PRIORITIES),
  description: Text(MOST_WORDS, { examples: ['Rounding happens once for each line.'] }),
}
const optionalThemeValues = {
  status: Type.Optional(OneOf(THEME_STATUSES)),
  markdown_content: Type.Optional(Markdown({ examples: ['Seen with coupons only.\n'] })),
}
export const NewThemeBody = Type.Object({
  ...themeValues,
  ...optionalThemeValues,
  feature_requirements_document_id: Type.Optional(Nullable(Uuid)),
})
export const ThemeBody = Type.Partial(
  Type.Object({
    ...themeValues,
    ...optionalThemeValues,
    expected_title: ExpectedTitle,
    expected_description: expected((options) => Text(MOST_WORDS, options), 'description', 'Rounding happens twice.'),
  }),
)

export const FeedbackLinkBody = Type.Object({
  feedback_item_id: Uuid,
  text_excerpt: Type.Optional(
    FilledText(MOST_WORDS, {
      description: 'The words that matter; the beginning of the text if left out.',
      examples: ['off by a cent when I use a coupon'],
    }),
  ),
})
export const WorkOrderLinkBody = Type.Object({ work_order_id: Uuid })
export const FeatureBody = Type.Object({ feature_requirements_document_id: Uuid })
export const AssigneeBody = Type.Object(
  {
    user_id: Type.Optional(Uuid),
    email: Type.Optional(Type.String({ format: 'email', maxLength: 320, examples: ['ada@example.org'] })),
  },
  { description: 'Exactly one of the two.' },
)

const NewAttachment = Type.Object({
  file_name: FilledText(500),
  file_key: Type.String({ pattern: '^(?!(?:.*/)?\\.\\.(?:/|$))[A-Za-z0-9._/-]{1,512}$' }),
  file_size: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  mime_type: FilledText(255),
})
export const ReportBody = Type.Object({
  end_user_email: Type.String({ format: 'email', maxLength: 320 }),
  content: FilledText(MOST_WORDS),
  attachments: Type.Optional(Type.Array(NewAttachment, { maxItems: 20 })),
})
export const ReportAnswer = Type.Object({ feedback_number: Type.Integer() })
export const UploadBody = { content: { 'multipart/form-data': { schema: Type.Object({ file: FilePart }) } } }
export const UploadAnswer = Type.Object({
  file_key: Type.String(),
  file_name: Type.String(),
  file_size: Type.Integer(),
  mime_type: Type.String(),
})
