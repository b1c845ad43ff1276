import { Type } from 'typebox'
import { defineEvents, event, Fields, inWords, MEMBERS, saysFields } from '../../kernel/event-kinds.ts'
import { OneOf, Uuid } from '../../kernel/http/schema.ts'
import { ITEM_STATUSES } from './items/feedback-item.ts'
import { THEME_STATUSES } from './themes/theme.ts'

const Title = Type.String({ examples: ['Refunds are a cent off'] })
const Count = Type.Integer({ examples: [12] })
const Reason = Type.Optional(Type.String({ description: 'Why, as triage explains it.' }))
const ItemStatus = OneOf(ITEM_STATUSES)
const ThemeStatus = OneOf(THEME_STATUSES)
const Numbered = { theme_number: Type.Integer({ examples: [7] }), title: Title }
const OtherTheme = { theme_id: Uuid, ...Numbered }

interface Theme {
  theme_number: number
  title: string
}
const named = ({ theme_number, title }: Theme) => `TH-${theme_number} “${title}”`

export const itemEvents = defineEvents(
  { name: 'feedback_item', title: 'Feedback reports', seenBy: MEMBERS },
  {
    // Without the address of the customer: webhooks show the payload.
    submitted: event({ feedback_number: Type.Integer({ examples: [41] }), title: Title }, 'sent {it}'),
    status_changed: event({ from: ItemStatus, to: ItemStatus }, ({ to }) =>
      to === 'processed' ? 'processed {it}' : 'put {it} back to process',
    ),
    regrouped: event(
      { ...OtherTheme, feedback_number: Type.Integer({ examples: [41] }), from_theme_id: Uuid, reason: Reason },
      // Triage marks words with asterisks.
      ({ reason, ...theme }) => `moved {it} to ${named(theme)}${reason ? `: ${reason.replaceAll('*', '')}` : ''}`,
    ),
  },
)

export const uploadEvents = defineEvents(
  {
    name: 'feedback_upload',
    title: 'Files of reports',
    // It is shown when the report that it belongs to is sent.
    seenBy: { who: 'nobody', may: () => false },
    isPrivate: true,
  },
  {
    created: event(
      { file_key: Type.String(), file_name: Type.String(), file_size: Type.Integer(), mime_type: Type.String() },
      'sent a file',
    ),
  },
)

const Quote = {
  feedback_item_id: Uuid,
  quote_id: Uuid,
  regrouped: Type.Optional(Type.Boolean({ description: 'Triage grouped its themes anew.' })),
  reason: Reason,
}
const WorkOrder = { work_order_id: Uuid }

export const themeEvents = defineEvents(
  { name: 'theme', title: 'Feedback themes', seenBy: MEMBERS },
  {
    created: event(Numbered, 'created {it}'),
    updated: event({ fields: Fields }, ({ fields: all }) => {
      // The event of the new status says so.
      const fields = all.filter((one) => one !== 'status')
      const words = { markdown_content: 'the text', feature_requirements_document_id: 'the feature' }
      return fields.length > 0 ? saysFields(words)({ fields }) : undefined
    }),
    status_changed: event(
      { from: ThemeStatus, to: ThemeStatus },
      ({ from, to }) => `moved {it} from ${inWords(from)} to ${inWords(to)}`,
    ),
    deleted: event(Numbered, 'deleted {it}'),
    restored: event(Numbered, 'brought {it} back'),
    merged: event({ ...OtherTheme, reason: Reason }, (theme) => `merged ${named(theme)} into {it}`),
    merged_undone: event(OtherTheme, (theme) => `took ${named(theme)} out of {it} again`),
    split: event({ ...OtherTheme, reason: Reason }, (theme) => `split ${named(theme)} off {it}`),
    split_undone: event(OtherTheme, (theme) => `put ${named(theme)} back into {it}`),
    feedback_linked: event(Quote, 'added a report to {it}'),
    feedback_unlinked: event(Quote, 'took a report out of {it}'),
    work_order_linked: event(WorkOrder, 'linked a work order to {it}'),
    work_order_unlinked: event(WorkOrder, 'unlinked a work order from {it}'),
    people_told: event(
      { mailing_id: Uuid, people_count: Count, is_by_hand: Type.Boolean() },
      ({ people_count: count }) => `wrote to ${count === 1 ? 'a customer' : `${count} customers`} about {it}`,
    ),
    mails_sent: event(
      { mailing_id: Uuid, sent_count: Count, failed_count: Count },
      ({ sent_count: sent, failed_count: failed }) =>
        `sent ${sent === 1 ? 'a mail' : `${sent} mails`} about {it}${failed > 0 ? `; ${failed} failed` : ''}`,
    ),
    mails_retried: event({ mailing_id: Uuid, people_count: Count }, 'sent the failed mails about {it} again'),
  },
)

export const feedbackOfProjectEvents = defineEvents('project', {
  widget_changed: event({ fields: Fields }, 'changed the feedback widget'),
  customer_unsubscribed: event({}, 'no longer sends mail to a customer, who unsubscribed'),
})
