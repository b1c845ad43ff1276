import { Type } from 'typebox'
import {
  Data,
  FilledText,
  Items,
  Kind,
  Nullable,
  named,
  OneOf,
  Time,
  Title,
  Uuid,
} from '../../../kernel/http/schema.ts'
import { ITEM_STATUSES } from '../items/feedback-item.ts'
import { Attachment, MOST_WORDS } from '../schema.ts'
import { THEME_PRIORITIES, THEME_STATUSES, THEME_TYPES } from '../themes/theme.ts'
import { HAND_SOURCES } from './inbox-item.ts'
import { SORT_ACTIONS } from './sorting.ts'

const Score = Type.Number({ examples: [0.86] })
const Count = Type.Integer({ examples: [3] })
const Email = Type.String({ examples: ['customer@example.org'] })
const ItemNumber = Type.Integer({ examples: [213] })

const ThemeMark = named(
  'ThemeMark',
  Type.Object({
    id: Uuid,
    display_id: Type.String({ examples: ['TH-12'] }),
    number: Type.Integer({ examples: [12] }),
    title: Type.String({ examples: ['Declined cards give no reason'] }),
    status: OneOf(THEME_STATUSES),
  }),
)

const itemFields = {
  object: Kind('inbox_item'),
  id: Uuid,
  number: ItemNumber,
  display_id: Type.String({ examples: ['FB-213'] }),
  title: Type.String({ examples: ['My card is declined'] }),
  status: OneOf(ITEM_STATUSES),
  end_user_email: Email,
  source: Type.String({
    examples: ['Web shop'],
    description: 'The name of the reporting key, or how the member who added it by hand heard of it.',
  }),
  is_by_hand: Type.Boolean(),
  created_at: Time,
  attachment_count: Count,
  themes: Type.Array(ThemeMark),
  suggested_theme: Nullable(ThemeMark, { description: 'Where it may belong. Null for what is processed.' }),
  is_suggestion_due: Type.Boolean({ description: 'True while suggestions are being computed. Ask again in a second.' }),
}

export const InboxItem = named('InboxItem', Type.Object(itemFields))

const Candidate = named(
  'ThemeCandidate',
  Type.Object({
    ...ThemeMark.properties,
    type: OneOf(THEME_TYPES),
    priority: OneOf(THEME_PRIORITIES),
    quote_count: Count,
    people_count: Count,
    work_order_numbers: Type.Array(Type.Integer()),
    score: Score,
    is_suggested: Type.Boolean({ description: 'Near enough to be suggested. The others are only the nearest.' }),
    shared_words: Type.Array(Type.String({ examples: ['declined'] })),
    text_excerpt: Type.String({ description: 'The words of the report that are like the theme.' }),
  }),
)

export const InboxReport = named(
  'InboxReport',
  Type.Object({
    ...itemFields,
    markdown_content: Type.String({ description: 'The words of a customer. Show them as plain text.' }),
    added_by: Nullable(Type.Object({ id: Uuid, name: Type.String() })),
    attachments: Type.Array(Attachment),
    verdict: Nullable(OneOf(['feedback', 'not_sorted', 'not_feedback']), {
      description: 'What triage took it for. Null if it has not read it.',
    }),
    is_not_feedback: Type.Boolean({ description: 'A person said so, and triage leaves out what is like it.' }),
    quotes: Type.Array(
      Type.Object({
        theme: ThemeMark,
        text_excerpt: Type.String(),
        reason: Nullable(Type.String(), { description: 'Why triage put it there. Null if a person or an agent did.' }),
        is_by_person: Type.Boolean(),
      }),
    ),
    candidates: Type.Array(Candidate),
    similar_items: Type.Array(
      Type.Object({
        number: ItemNumber,
        title: Type.String(),
        end_user_email: Email,
        theme_numbers: Type.Array(Type.Integer()),
        score: Score,
      }),
    ),
    reporter: Type.Object({
      report_count: { ...Count, description: 'Reports with this address. Counts stop at 1,000.' },
      place: { ...Count, description: '3: it is their third report.' },
      is_first_of_month: Type.Boolean(),
      member: Nullable(Type.Object({ id: Uuid, name: Type.String() }), {
        description: 'The member of the project with this address.',
      }),
      other_reports: Type.Array(
        Type.Object({ number: ItemNumber, title: Type.String(), status: OneOf(ITEM_STATUSES), created_at: Time }),
      ),
    }),
  }),
)

export const InboxQuery = Type.Object({
  status: Type.Optional(OneOf(ITEM_STATUSES)),
  source: Type.Optional(FilledText(500)),
  theme_number: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647 })),
  end_user_email: Type.Optional(FilledText(320)),
  from: Type.Optional({ ...Time, description: 'Received at this time or later.' }),
  before: Type.Optional({ ...Time, description: 'Received before this time.' }),
  words: Type.Optional(FilledText(200, { description: 'Every word must occur in the text, ignoring case.' })),
  sort: Type.Optional(OneOf(['number', '-number'], { description: 'Newest first if left out.' })),
  after: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 2_147_483_647, description: 'Begins after the item with this number.' }),
  ),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 50 }),
})
export const InboxPage = Type.Object({
  items: Type.Array(InboxItem),
  total: Type.Integer({ description: 'How many match. Counts with filters stop at 1,000.', examples: [12] }),
  next: Nullable(ItemNumber, { description: 'The value of `after` for the next page. Null on the last.' }),
})
export const NumberParams = Type.Object({ number: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }) })
export const InboxReportData = Data(InboxReport)
export const SourceItems = Items(
  Type.Object({
    name: Type.String({ examples: ['Web shop'] }),
    is_by_hand: Type.Boolean(),
    to_process_count: { ...Count, description: 'Counts stop at 1,000.' },
  }),
)

const ItemIds = Type.Array(Uuid, { minItems: 1, maxItems: 200 })
const NewTheme = Type.Object({ title: Title(), type: OneOf(THEME_TYPES), priority: OneOf(THEME_PRIORITIES) })

export const LinkBody = Type.Object(
  {
    feedback_item_ids: ItemIds,
    theme_id: Type.Optional(Uuid),
    new_theme: Type.Optional(NewTheme),
    text_excerpt: Type.Optional(FilledText(MOST_WORDS, { description: 'The beginning of each text if left out.' })),
  },
  { description: 'Exactly one of `theme_id` and `new_theme`.' },
)
export const LinkAnswer = Data(Type.Object({ theme: ThemeMark, changed_ids: Type.Array(Uuid) }))
export const TakeBackBody = Type.Object({
  feedback_item_ids: ItemIds,
  theme_id: Uuid,
  ends_theme: Type.Optional(Type.Boolean({ description: 'Deletes the theme if nothing is left in it.' })),
})
export const SortBody = Type.Object({
  feedback_item_ids: ItemIds,
  action: OneOf(SORT_ACTIONS),
  unless_linked: Type.Optional(
    Type.Boolean({ description: 'Leave alone what somebody has put into a theme since.', default: false }),
  ),
})
export const ChangedAnswer = Data(Type.Object({ changed_ids: Type.Array(Uuid) }))

export const HandBody = Type.Object({
  end_user_email: Type.String({ format: 'email', maxLength: 320, examples: ['customer@example.org'] }),
  content: FilledText(MOST_WORDS),
  source: OneOf(HAND_SOURCES),
})
export const HandAnswer = Data(Type.Object({ number: ItemNumber }))
