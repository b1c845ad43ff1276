import { type TSchema, Type } from 'typebox'
import { ExpectedTitle } from '../../kernel/expected.ts'
import { createdVia } from '../../kernel/http/created-via.ts'
import {
  Data,
  FilledText,
  Items,
  Kind,
  MARKDOWN_LENGTH,
  Nullable,
  named,
  OneOf,
  Text,
  Time,
  Title,
  Uuid,
} from '../../kernel/http/schema.ts'
import { ShownContextLink } from '../links/index.ts'
import { SUGGESTION_VIEWS } from './document.ts'

/** The limit for the markdown of one document. */
export const MAX_DOCUMENT_CHARACTERS = MARKDOWN_LENGTH

/** Accepts any exact integer: lines past the end are left out, not refused. */
const Line = Nullable(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }))

export const ChildReference = named(
  'ChildReference',
  Type.Object({ id: Uuid, document_id: Uuid, title: Type.String({ examples: ['Sign in with a code'] }) }),
)

/** The fields that the summaries of all kinds have in common. */
export const summaryFields = {
  id: Uuid,
  document_id: Uuid,
  title: Type.String({ examples: ['Sign in'] }),
  parent_id: Nullable(Uuid),
  children: Type.Array(ChildReference),
  feature_id: Nullable(Uuid),
  updated_at: Time,
}

export const detailFields = {
  connectedContext: Type.Array(ShownContextLink),
  version_id: Uuid,
  version_number: Type.Integer({ examples: [3] }),
  markdown_content: Type.String({ examples: ['# Sign in\n\nA code comes by e-mail.\n'] }),
}

const SearchMatch = named(
  'SearchMatch',
  Type.Object({
    line_number: Type.Integer({ examples: [3] }),
    line: Type.String({ examples: ['A code comes by e-mail.'] }),
    before_context: Type.Array(Type.String(), { examples: [['# Sign in', '']] }),
    after_context: Type.Array(Type.String(), { examples: [[]] }),
  }),
)

const attribution = {
  origin_type: OneOf(['user', 'external_api', 'mcp', 'agent', 'automation', 'system'], {
    examples: ['external_api'],
  }),
  user_id: Nullable(Uuid),
  user_email: Nullable(Type.String({ examples: ['ada@example.org'] })),
  user_first_name: Nullable(Type.String({ examples: ['Ada'] })),
  user_last_name: Nullable(Type.String({ examples: ['Lovelace'] })),
  origin_name: Type.String({ examples: ['External API'] }),
}
const VersionAuthor = named('VersionAuthor', Type.Object({ ...attribution, ...createdVia }))

export const VersionEntry = named(
  'VersionEntry',
  Type.Object({
    object: Kind('version'),
    version_id: Uuid,
    version_number: Type.Integer({ examples: [3] }),
    created_at: Time,
    version_name: Type.String({ examples: ['Version 3'] }),
    attribution: Type.Object(attribution),
    authors: Type.Array(VersionAuthor, {
      description:
        'Everyone who wrote it: the author in `attribution`, then who else typed into it or made a suggestion that it accepts.',
    }),
    ...createdVia,
  }),
)

export const VersionList = Type.Object({
  items: Type.Array(VersionEntry),
  total_count: Type.Integer({ examples: [1] }),
})

export const VersionDiff = Data(
  named(
    'VersionDiff',
    Type.Object({
      object: Kind('version_diff'),
      from_version_id: Uuid,
      to_version_id: Uuid,
      diff: Type.String({ examples: ['@@ -1,1 +1,1 @@\n-old\n+new\n'] }),
    }),
  ),
)

export const messageFields = {
  id: Uuid,
  message: Type.String({ examples: ['Is a code enough?'] }),
  created_at: Time,
  created_by_name: Type.String({ examples: ['Ada Lovelace'] }),
  ...createdVia,
}
export const threadFields = {
  object: Kind('document_comment_thread'),
  id: Uuid,
  thread_id: Uuid,
  messages: Type.Array(Type.Object(messageFields)),
  is_resolved: Type.Boolean(),
  is_flagged: Type.Boolean(),
}
const Thread = named('CommentThread', Type.Object(threadFields))
export const ThreadData = Data(Thread)
export const ThreadItems = Items(Thread)

export const suggestionFields = {
  object: Kind('suggestion'),
  id: Uuid,
  kind: OneOf(['insertion', 'deletion']),
  text: Type.String({ examples: ['a code'] }),
  created_at: Time,
  created_by_name: Type.String({ examples: ['Ada Lovelace'] }),
  ...createdVia,
}
export const SuggestionItems = Items(named('Suggestion', Type.Object(suggestionFields)))

export const SuggestionResult = Data(
  Type.Object({
    status: OneOf(['applied']),
    change_ids: Type.Array(Uuid, { description: 'One for each tracked insertion and deletion.' }),
  }),
)

export const ReadQuery = Type.Object({
  start_line: Type.Optional(Line),
  end_line: Type.Optional(Line),
  suggestions: OneOf(SUGGESTION_VIEWS, {
    default: 'inline',
    description: 'Pending changes as CriticMarkup, or as if all were accepted or rejected.',
  }),
})

export const WriteBody = Type.Object({
  markdown_content: Type.String({
    maxLength: MAX_DOCUMENT_CHARACTERS,
    examples: ['# Sign in\n\nA code comes by e-mail.\n'],
  }),
  force_new_version: Type.Optional(Type.Boolean({ description: 'Make a version even if nothing changed.' })),
})
export const RenameBody = Type.Object({ title: Title({ examples: ['Sign in'] }), expected_title: ExpectedTitle })
export const SuggestBody = Type.Object({
  old_text: Type.String({
    maxLength: MAX_DOCUMENT_CHARACTERS,
    examples: ['a password'],
    description: 'Markdown as the document shows it.',
  }),
  new_text: Type.String({ maxLength: MAX_DOCUMENT_CHARACTERS, examples: ['a code'] }),
  replace_all: Type.Optional(Type.Boolean()),
})
export const SettleBody = Type.Object({
  change_ids: Type.Optional(
    Type.Array(Uuid, { minItems: 1, maxItems: 1_000, description: 'Only these changes. Without it, all of them.' }),
  ),
  texts: Type.Optional(
    Type.Array(Type.String({ maxLength: MAX_DOCUMENT_CHARACTERS }), {
      maxItems: 1_000,
      description: 'The text of each change as it was shown when it was decided, in the order of `change_ids`.',
    }),
  ),
})
export const SearchBody = Type.Object({
  query: Type.String({
    minLength: 1,
    maxLength: 1_000,
    format: 'text',
    examples: ['sign.?in'],
    description: 'Regular expression, by line, in linear time.',
  }),
  case_sensitive: Type.Boolean({ default: false }),
  context_lines: Type.Integer({ minimum: 0, maximum: 10, default: 2 }),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 50, description: 'How many documents.' }),
})
export const Message = FilledText(100_000, { examples: ['Is a code enough?'] })
export const ThreadBody = Type.Object({ message: Message, is_flagged: Type.Optional(Type.Boolean()) })
export const ReplyBody = Type.Object({ message: Message })
export const ThreadPatchBody = Type.Partial(Type.Object({ is_resolved: Type.Boolean(), is_flagged: Type.Boolean() }))

/** Accepts any string: the document validates it as markdown and answers with a line and a reason. */
export const NewContent = Type.Optional(Type.String({ maxLength: MAX_DOCUMENT_CHARACTERS, examples: ['# Sign in\n'] }))
export const TitleFilter = Type.Optional(Text(500, { description: 'Part of the title, in any case.' }))

export const searchHit = <T extends Record<string, TSchema>>(fields: T) =>
  Type.Object({ ...fields, matches: Type.Array(SearchMatch) })
