import { Type } from 'typebox'
import { operation } from '../../../kernel/http/operation.ts'
import type { Face } from '../../../kernel/http/request.ts'
import { FilledText, Nullable, named, OneOf, Uuid } from '../../../kernel/http/schema.ts'
import { MAX_COUNTED } from '../../../kernel/searches/word-search.ts'
import { FOUND_KINDS, findEverywhere } from './find-everywhere.ts'

const Kind = OneOf(FOUND_KINDS)
const Found = named(
  'Found',
  Type.Object({
    kind: Kind,
    id: Uuid,
    number: Nullable(Type.Integer(), { description: 'Of a work order, a theme or a report.' }),
    title: Type.String({ examples: ['Refund fails when the card was replaced'] }),
    status: Nullable(Type.String({ examples: ['in_progress'] })),
    detail: Nullable(Type.String({ description: 'Its category, type, folder or address.', examples: ['FEATURE'] })),
    snippet: Nullable(Type.String({ description: 'The words in the text, if they are not in the title.' })),
  }),
)

/** Finds anything of the project by its words or its number. */
export function registerSearchRoute(face: Face) {
  face.get(
    '/search',
    operation({
      id: 'findEverywhere',
      summary: 'Find anything by words or number',
      description: `Every word must occur, ignoring case. Titles come before texts. \`WO-12\`, \`TH-3\` and \`FB-7\` find by number. Counts stop at ${MAX_COUNTED}.`,
      tags: ['Session'],
      query: Type.Object({
        q: FilledText(200, { examples: ['refund'] }),
        limit: Type.Integer({ minimum: 1, maximum: 20, default: 6, description: 'Of each kind.' }),
      }),
      answer: Type.Object({
        items: Type.Array(Found),
        totals: Type.Array(Type.Object({ kind: Kind, total: Type.Integer({ examples: [3] }) })),
        is_partial: Type.Boolean({ description: 'True if there was no time to look through all texts.' }),
      }),
    }),
    async (req) => {
      const { items, totals, isPartial } = await findEverywhere(req.ctx, req.query.q, req.query.limit)
      return { items, totals, is_partial: isPartial }
    },
  )
}
