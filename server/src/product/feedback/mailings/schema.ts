import { Type } from 'typebox'
import { Data, FilledText, Items, Kind, Nullable, named, OneOf, Time, Uuid } from '../../../kernel/http/schema.ts'
import { PersonShape } from '../../work-orders/index.ts'
import { DATE, MAIL_STATUSES, QUOTE } from './mailing.ts'
import { DEFAULT_LANGUAGE, TEMPLATES } from './templates.ts'

const Language = OneOf(Object.keys(TEMPLATES) as [string, ...string[]], { description: 'ISO 639-1.' })
const Email = Type.String({ examples: ['customer@example.org'] })
const Count = (description: string, example = 31) => Type.Integer({ description, examples: [example] })

const MailTextShape = named(
  'MailText',
  Type.Object({
    language: Language,
    subject: Type.String({
      minLength: 1,
      maxLength: 200,
      pattern: '^[^\\S\\r\\n]*\\S[^\\r\\n]*$',
      description: 'One line.',
      examples: ['You asked why your card was declined'],
    }),
    text: FilledText(10_000, {
      description: `Plain text. \`${DATE}\` becomes the day of a person's report, and \`${QUOTE}\` their words.`,
      examples: [`on ${DATE} you wrote: “${QUOTE}”`],
    }),
  }),
)

const DraftShape = named(
  'MailingDraft',
  Type.Object({
    from: Nullable(Type.String({ examples: ['Harbor <shop@harbor.example>'] }), {
      description: 'Null if the server cannot send mail. The mails are then sent by hand.',
    }),
    people_count: Count('How many people are in the theme.'),
    told_count: Count('How many of them were told.', 0),
    unsubscribed_count: Count('How many of them do not want mail.', 2),
    completed_work_orders: Type.Array(
      Type.Object({
        id: Uuid,
        display_id: Type.String({ examples: ['WO-35'] }),
        title: Type.String({ examples: ['Round the total once'] }),
        completed_at: Nullable(Time),
      }),
      { description: 'The last one first. Without any, there are no drafts.' },
    ),
    drafts: Type.Array(
      Type.Object({
        ...MailTextShape.properties,
        people_count: Count('How many people it goes to.'),
        example: Type.Object(
          { end_user_email: Email, date: Type.String(), quote: Type.String() },
          { description: 'How its fields are filled for one of them.' },
        ),
      }),
      { description: 'One for each language in which people wrote, the most frequent first.' },
    ),
  }),
)
export const DraftQuery = Type.Object({
  again: Type.Boolean({ default: false, description: 'Also for people who were told before.' }),
})
export const DraftData = Data(DraftShape)

export const MailingBody = Type.Object({
  texts: Type.Array(MailTextShape, {
    minItems: 1,
    maxItems: 20,
    description: `Whoever wrote in a language without a text gets the one in \`${DEFAULT_LANGUAGE}\`, or the first.`,
  }),
  by_hand: Type.Optional(Type.Boolean({ description: 'You send the mails with another program.' })),
  again: Type.Optional(Type.Boolean({ description: 'Also to people who were told before.' })),
  resolves_theme: Type.Optional(Type.Boolean({ description: 'Sets the status of the theme to `resolved`.' })),
})

const MailingShape = named(
  'Mailing',
  Type.Object({
    object: Kind('mailing'),
    id: Uuid,
    theme_id: Uuid,
    created_at: Time,
    created_by: Nullable(PersonShape),
    is_by_hand: Type.Boolean({ examples: [false] }),
    counts: Type.Object(
      Object.fromEntries(MAIL_STATUSES.map((status) => [status, Type.Integer({ examples: [0] })])) as Record<
        (typeof MAIL_STATUSES)[number],
        ReturnType<typeof Type.Integer>
      >,
      { description: 'How many mails there are of each status.' },
    ),
    failures: Type.Array(
      Type.Object({
        end_user_email: Email,
        reason: Type.String({ examples: ['The mail server answered: 550 5.1.1 No such user'] }),
        is_uncertain: Type.Boolean({ description: 'It may have arrived.' }),
      }),
      { description: 'The first 50.' },
    ),
  }),
)
export const MailingData = Data(MailingShape)
export const MailingItems = Items(MailingShape)
export const MailingParams = Type.Object({ mailing_id: Uuid })
export const RetryBody = Type.Object({
  includes_uncertain: Type.Optional(
    Type.Boolean({ description: 'Also mails that may have arrived. Those people may get it twice.' }),
  ),
})

export const MailItems = Items(
  named(
    'WrittenMail',
    Type.Object({
      to: Email,
      subject: Type.String({ examples: ['You asked why your card was declined'] }),
      text: Type.String({ description: 'With the link to unsubscribe.' }),
    }),
  ),
)
