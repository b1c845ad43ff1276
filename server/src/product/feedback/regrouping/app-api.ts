import { Type } from 'typebox'
import { operation } from '../../../kernel/http/operation.ts'
import type { Face } from '../../../kernel/http/request.ts'
import { Data, Empty, Kind, Nullable, named, OneOf, Text, Title, Uuid } from '../../../kernel/http/schema.ts'
import { ThemeParams, ThemeSummary } from '../schema.ts'
import { loadTheme } from '../themes/open-theme.ts'
import { presentThemeSummary } from '../themes/theme.ts'
import { createRequirementFromTheme, createWorkOrderFromTheme } from '../themes/work-from-theme.ts'
import { suggestMerge } from '../triage/merge-suggestion.ts'
import { suggestSplit } from '../triage/split-suggestion.ts'
import { REGROUPINGS } from './regrouping-queries.ts'
import { mergeTheme, moveThemeQuotes, type Regrouped, removeTheme, splitTheme } from './regroupings.ts'
import { undoRegrouping } from './undo.ts'

const tags = ['Feedback']

const Regrouping = named(
  'ThemeRegrouping',
  Type.Object({
    object: Kind('theme_regrouping'),
    id: { ...Uuid, description: 'Undoes it, for 30 days.' },
    kind: OneOf(REGROUPINGS),
    from_theme_id: Uuid,
    into_theme_id: Uuid,
    quote_count: Type.Integer({ description: 'How many quotes were moved.', examples: [12] }),
  }),
)
const Reason = Type.Optional(
  Text(1_000, { description: 'Shown in the history.', examples: ['Both are about coupons.'] }),
)
const ItemIds = Type.Array(Uuid, { minItems: 1, maxItems: 500, description: 'The reports whose quotes are moved.' })
const answer = { tags, params: ThemeParams }
const Made = Data(Type.Object({ id: Uuid, title: Type.String({ examples: ['Totals are off by a cent'] }) }))

const Suggestion = named(
  'SplitSuggestion',
  Type.Object({
    title: Type.String({ examples: ['Apple Pay closes without a word'] }),
    feedback_item_ids: Type.Array(Uuid),
  }),
)

const MergeSuggestion = named(
  'MergeSuggestion',
  Type.Object({
    theme: ThemeSummary,
    reason: Type.String({ examples: ['Of 12 quotes compared, 10 speak of the same.'] }),
  }),
)

const present = (one: Regrouped) => ({
  object: 'theme_regrouping' as const,
  id: one.id,
  kind: one.kind,
  from_theme_id: one.fromThemeId,
  into_theme_id: one.intoThemeId,
  quote_count: one.quoteCount,
})

/** Merging and splitting themes by hand, with Undo, and the work that a theme leads to. */
export function registerRegroupingRoutes(face: Face) {
  face.post(
    '/feedback/themes/:theme_id/merge',
    operation({
      id: 'mergeTheme',
      summary: 'Merge a theme into another one',
      description: 'Its quotes and work orders go to the other theme, and so does its feature if that has none.',
      ...answer,
      body: Type.Object({ into_theme_id: Uuid, reason: Reason }),
      answer: Data(Regrouping),
      refuses: [409],
    }),
    async (req) => {
      const { into_theme_id: intoId, reason } = req.body
      return { data: present(await mergeTheme(req.ctx, req.params.theme_id, intoId, reason)) }
    },
  )

  face.post(
    '/feedback/themes/:theme_id/split',
    operation({
      id: 'splitTheme',
      summary: 'Move some quotes to a new theme',
      description: 'The new theme has the type, the priority and the feature of the old one.',
      ...answer,
      body: Type.Object({ title: Title(), feedback_item_ids: ItemIds, reason: Reason }),
      answers: { 201: Data(Regrouping) },
      refuses: [409],
    }),
    async (req, reply) => {
      const { title, feedback_item_ids: itemIds, reason } = req.body
      const split = await splitTheme(req.ctx, req.params.theme_id, { title: title.trim(), itemIds, reason })
      reply.code(201)
      return { data: present(split) }
    },
  )

  face.get(
    '/feedback/themes/:theme_id/split_suggestion',
    operation({
      id: 'suggestThemeSplit',
      summary: 'Suggest which quotes of a theme could be a theme of their own',
      description:
        'From what triage has read. Null if there are none, or if triage splits the theme by itself because nobody has changed it.',
      ...answer,
      answer: Type.Object({ data: Nullable(Suggestion) }),
    }),
    async (req) => {
      const found = await suggestSplit(req.ctx, await loadTheme(req.ctx, req.params.theme_id))
      return { data: found ? { title: found.title, feedback_item_ids: found.itemIds } : null }
    },
  )

  face.get(
    '/feedback/themes/:theme_id/merge_suggestion',
    operation({
      id: 'suggestThemeMerge',
      summary: 'Suggest a theme that says the same',
      description:
        'From what triage has read. Null if there is none, or if triage merges the theme by itself because nobody has changed it.',
      ...answer,
      answer: Type.Object({ data: Nullable(MergeSuggestion) }),
    }),
    async (req) => {
      const found = await suggestMerge(req.ctx, await loadTheme(req.ctx, req.params.theme_id))
      return { data: found ? { theme: presentThemeSummary(found.theme), reason: found.reason } : null }
    },
  )

  face.post(
    '/feedback/themes/:theme_id/move_quotes',
    operation({
      id: 'moveThemeQuotes',
      summary: 'Move some quotes to another theme',
      ...answer,
      body: Type.Object({ into_theme_id: Uuid, feedback_item_ids: ItemIds }),
      answer: Data(Regrouping),
    }),
    async (req) => {
      const { into_theme_id: intoId, feedback_item_ids: itemIds } = req.body
      return { data: present(await moveThemeQuotes(req.ctx, req.params.theme_id, intoId, itemIds)) }
    },
  )

  face.post(
    '/feedback/themes/:theme_id/remove',
    operation({
      id: 'removeTheme',
      summary: 'Delete a theme so that it can be brought back',
      description:
        'Its quotes go with it. Reports that are in no other theme are to be processed again. Undoing it brings all of this back.',
      ...answer,
      answer: Data(Regrouping),
      refuses: [409],
      optionalBody: true,
    }),
    async (req) => ({ data: present(await removeTheme(req.ctx, req.params.theme_id)) }),
  )

  face.post(
    '/feedback/regroupings/:regrouping_id/undo',
    operation({
      id: 'undoThemeRegrouping',
      summary: 'Undo a merge, a split, a move or a deletion',
      description: 'Quotes that somebody has moved since stay where they are.',
      tags,
      params: Type.Object({ regrouping_id: Uuid }),
      answers: { 204: Empty },
      refuses: [409],
      optionalBody: true,
    }),
    async (req, reply) => {
      await undoRegrouping(req.ctx, req.params.regrouping_id)
      return reply.code(204).send(null)
    },
  )

  face.post(
    '/feedback/themes/:theme_id/create_work_order',
    operation({
      id: 'createWorkOrderFromTheme',
      summary: 'Create a work order from a theme',
      description: 'It has the title, the text and the newest quotes of the theme, and is linked to it.',
      ...answer,
      answers: { 201: Data(Type.Object({ ...Made.properties.data.properties, work_order_number: Type.Integer() })) },
      optionalBody: true,
    }),
    async (req, reply) => {
      const { id, title, workOrderNumber } = await createWorkOrderFromTheme(req.ctx, req.params.theme_id)
      reply.code(201)
      return { data: { id, title, work_order_number: workOrderNumber } }
    },
  )

  face.post(
    '/feedback/themes/:theme_id/create_requirement',
    operation({
      id: 'createRequirementFromTheme',
      summary: 'Create a feature document from a theme',
      description: 'It has the title, the text and the newest quotes of the theme, and becomes its feature.',
      ...answer,
      answers: { 201: Made },
      optionalBody: true,
      refuses: [409],
    }),
    async (req, reply) => {
      const { id, title } = await createRequirementFromTheme(req.ctx, req.params.theme_id)
      reply.code(201)
      return { data: { id, title } }
    },
  )
}
