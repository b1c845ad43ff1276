import { Type } from 'typebox'
import { operation } from '../../../kernel/http/operation.ts'
import type { Face } from '../../../kernel/http/request.ts'
import { Data, Items, Kind, Nullable, named, OneOf, Time, Uuid } from '../../../kernel/http/schema.ts'
import { loadItem } from '../items/items.ts'
import { ItemParams, ThemeParams } from '../schema.ts'
import { loadTheme } from '../themes/open-theme.ts'
import { displayThemeNumber } from '../themes/theme.ts'
import { findSorting, listThemeHistory } from './triage-queries.ts'

const tags = ['Feedback']

const Sorting = named(
  'FeedbackSorting',
  Type.Object({
    object: Kind('feedback_sorting'),
    verdict: Nullable(OneOf(['feedback', 'not_sorted', 'not_feedback']), {
      description:
        'What triage without a model took it for. `not_sorted`: praise, noise or too little to go on. `not_feedback`: advertising. Null if it has not read it.',
    }),
    quotes: Type.Array(
      Type.Object({
        theme_id: Uuid,
        theme_display_id: Type.String(),
        theme_title: Type.String(),
        text_excerpt: Type.String(),
        reason: Nullable(Type.String(), { description: 'Why triage put it there. Null if a person or an agent did.' }),
        is_by_person: Type.Boolean(),
      }),
    ),
  }),
)

const ThemeEvent = named(
  'ThemeEvent',
  Type.Object({
    object: Kind('theme_event'),
    kind: OneOf(['created', 'merged', 'split', 'merged_undone', 'split_undone']),
    created_at: Time,
    theme_id: Nullable(Uuid, { description: 'The theme that was merged into this one, or split from it.' }),
    theme_display_id: Nullable(Type.String()),
    theme_title: Nullable(Type.String()),
    reason: Nullable(Type.String()),
  }),
)

/** Why things are where they are. */
export function registerTriageRoutes(face: Face) {
  face.get(
    '/feedback/items/:feedback_item_id/sorting',
    operation({
      id: 'getFeedbackItemSorting',
      summary: 'Read where a feedback item is, and why',
      tags,
      params: ItemParams,
      answer: Data(Sorting),
    }),
    async (req) => {
      const { db, actor } = req.ctx
      const { id } = await loadItem(req.ctx, req.params.feedback_item_id)
      const { verdict, quotes } = await findSorting(db, actor.projectId, id)
      return {
        data: {
          object: 'feedback_sorting' as const,
          verdict,
          quotes: quotes.map((one) => ({
            theme_id: one.themeId,
            theme_display_id: displayThemeNumber(one.themeNumber),
            theme_title: one.title,
            text_excerpt: one.textExcerpt,
            reason: one.reason,
            is_by_person: one.isPinned,
          })),
        },
      }
    },
  )

  face.get(
    '/feedback/themes/:theme_id/history',
    operation({
      id: 'listThemeHistory',
      summary: 'List when and why a theme was opened, merged and split',
      description: 'Oldest first.',
      tags,
      params: ThemeParams,
      answer: Items(ThemeEvent),
    }),
    async (req) => {
      const { id } = await loadTheme(req.ctx, req.params.theme_id)
      const events = await listThemeHistory(req.ctx.db, req.ctx.actor.projectId, id)
      return {
        items: events.map(({ kind, createdAt, payload }) => ({
          object: 'theme_event' as const,
          kind: kind.replace('theme.', '') as 'created',
          created_at: createdAt,
          theme_id: payload.theme_id ?? null,
          theme_display_id: payload.theme_number === undefined ? null : displayThemeNumber(payload.theme_number),
          theme_title: payload.title ?? null,
          reason: payload.reason ?? null,
        })),
      }
    },
  )
}
