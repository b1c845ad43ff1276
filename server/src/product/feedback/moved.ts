import { Type } from 'typebox'
import { Markdown, Nullable, OneOf, Text, Time, Uuid } from '../../kernel/http/schema.ts'
import { Large, MaybeId, MaybeSomeone, MaybeTime, type MovedTable, Whole } from '../../kernel/moving/table.ts'
import { PRIORITIES } from '../work-orders/index.ts'
import { ITEM_STATUSES } from './items/feedback-item.ts'
import { UPLOADS } from './items/uploads.ts'
import { MAIL_STATUSES } from './mailings/mailing.ts'
import { THEME_STATUSES, THEME_TYPES } from './themes/theme.ts'
import { POSITIONS, WIDGET_THEMES } from './widget-options/widget-options.ts'

const Name = Text(1_000)
const ORIGINS = ['user', 'external_api', 'mcp', 'agent', 'automation', 'system', 'triage'] as const

export const movedFeedback: MovedTable[] = [
  {
    name: 'feedback_items',
    row: Type.Object({
      id: Uuid,
      feedback_number: Whole,
      title: Name,
      status: OneOf(ITEM_STATUSES),
      end_user_email: Name,
      markdown_content: Markdown(),
      created_at: Time,
      source: Type.Optional(Name),
      added_by: Type.Optional(MaybeSomeone),
    }),
    order: 't.feedback_number',
  },
  {
    name: 'feedback_uploads',
    row: Type.Object({
      file_key: Uuid,
      file_name: Name,
      file_size: Large,
      mime_type: Name,
      sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
      created_at: Time,
    }),
    order: 't.file_key',
    bytes: { key: 'store_key', size: 'file_size', place: UPLOADS },
  },
  {
    name: 'feedback_storage',
    row: Type.Object({ stored_bytes: Large }),
    order: 't.stored_bytes',
  },
  {
    name: 'feedback_attachments',
    row: Type.Object({
      id: Uuid,
      feedback_item_id: Uuid,
      position: Whole,
      file_name: Name,
      file_key: Name,
      file_size: Large,
      mime_type: Name,
    }),
    order: 't.feedback_item_id, t.position',
  },
  {
    name: 'themes',
    row: Type.Object({
      id: Uuid,
      theme_number: Whole,
      title: Name,
      description: Markdown(),
      markdown_content: Markdown(),
      status: OneOf(THEME_STATUSES),
      type: OneOf(THEME_TYPES),
      priority: OneOf(PRIORITIES),
      assignee_id: MaybeSomeone,
      feature_id: MaybeId,
      quote_count: Whole,
      origin: OneOf(ORIGINS),
      pinned_at: MaybeTime,
      created_at: Time,
      updated_at: Time,
    }),
    order: 't.theme_number',
  },
  {
    name: 'quotes',
    row: Type.Object({
      id: Uuid,
      theme_id: Uuid,
      feedback_item_id: Uuid,
      text_excerpt: Markdown(),
      origin: OneOf(ORIGINS),
      pinned_at: MaybeTime,
      created_at: Time,
      matter: Nullable(Whole),
      reason: Nullable(Text(10_000)),
    }),
    order: 't.id',
  },
  {
    name: 'triage_lessons',
    row: Type.Object({ feedback_item_id: Uuid, theme_id: MaybeId, created_at: Time }),
    order: 't.created_at, t.feedback_item_id, t.theme_id',
  },
  {
    name: 'triage_readings',
    row: Type.Object({
      feedback_item_id: Uuid,
      version: Whole,
      encoder: Name,
      verdict: Name,
      matters: Type.Array(Type.Unknown()),
    }),
    order: 't.feedback_item_id',
  },
  {
    name: 'widget_options',
    row: Type.Object({
      label: Name,
      position: OneOf(POSITIONS),
      accent: Nullable(Text(20)),
      theme: OneOf(WIDGET_THEMES),
      screenshots: Type.Boolean(),
    }),
    order: 't.label',
  },
  {
    name: 'theme_mailings',
    row: Type.Object({
      id: Uuid,
      theme_id: Uuid,
      created_by: MaybeSomeone,
      created_at: Time,
      by_hand: Type.Boolean(),
      base_url: Name,
      texts: Type.Array(Type.Object({ language: Text(20), subject: Name, text: Markdown() })),
    }),
    order: 't.created_at, t.id',
  },
  {
    name: 'theme_mails',
    row: Type.Object({
      mailing_id: Uuid,
      person: Name,
      end_user_email: Name,
      language: Text(20),
      text_excerpt: Markdown(),
      reported_at: Time,
      status: OneOf(MAIL_STATUSES),
      error: Nullable(Name),
      is_uncertain: Type.Boolean(),
    }),
    order: 't.mailing_id, t.person',
    // An import sends nothing. The server that it came from may still do so.
    arrive: (row) =>
      row.status === 'waiting' || row.status === 'sending'
        ? { ...row, status: 'failed', is_uncertain: true, error: 'It was not sent yet when the project was exported.' }
        : row,
  },
  {
    name: 'feedback_contacts',
    row: Type.Object({ person: Name, language: Text(20), unsubscribed_at: MaybeTime }),
    order: 't.person',
  },
]
