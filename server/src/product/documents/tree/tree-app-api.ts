import { Type } from 'typebox'
import { operation } from '../../../kernel/http/operation.ts'
import type { Face } from '../../../kernel/http/request.ts'
import { Data, Items, Nullable, named, Time, Uuid } from '../../../kernel/http/schema.ts'
import type { DocumentKind } from '../kind.ts'
import { SearchBody } from '../schema.ts'
import { searchDocuments } from '../search/search.ts'
import { listIdsWithin, listTreeNodes, listTrees } from './tree-queries.ts'

const Tree = named(
  'DocumentTree',
  Type.Object({
    groups: Type.Array(
      Type.Object({
        id: Uuid,
        name: Type.String({ examples: ['FEATURE'] }),
        locked: Type.Boolean({ description: 'Its documents come and go with those of another kind.' }),
      }),
    ),
    nodes: Type.Array(
      Type.Object({
        id: Uuid,
        title: Type.String({ examples: ['Sign in'] }),
        group_id: Uuid,
        parent_id: Nullable(Uuid),
        feature_id: Nullable(Uuid, { description: 'The FEATURE document that a feature blueprint belongs to.' }),
        suggestion_count: Type.Integer({ examples: [2] }),
        open_comment_count: Type.Integer({ examples: [1] }),
        updated_at: Time,
      }),
      { description: 'Roots first. Siblings stand in their order.' },
    ),
  }),
)

/** The whole tree at once, with what the list of the web shows beside each title. */
export function registerTreeRoute(face: Face, of: DocumentKind): void {
  face.get(
    `${of.path}/tree`,
    operation({
      id: `get${of.noun}Tree`,
      summary: `Show all ${of.words}s in their order, with the number of open suggestions and comments`,
      tags: [of.tag],
      answer: Data(Tree),
    }),
    async (req) => {
      const { db, actor } = req.ctx
      const [trees, nodes] = await Promise.all([
        listTrees(db, actor.projectId, of.kind),
        listTreeNodes(db, actor.projectId, of.kind),
      ])
      return {
        data: {
          groups: trees.map(({ id, name, locked }) => ({ id, name, locked })),
          nodes: nodes.map((node) => ({
            id: node.id,
            title: node.title,
            group_id: node.treeId,
            parent_id: node.parentId,
            feature_id: node.featureId,
            suggestion_count: node.suggestions,
            open_comment_count: node.openThreads,
            updated_at: node.updatedAt,
          })),
        },
      }
    },
  )
}

/** The search of the external API, in one part of the tree. */
export function registerSearchWithinRoute(face: Face, of: DocumentKind): void {
  face.post(
    `${of.path}/search_within`,
    operation({
      id: `search${of.noun}sWithin`,
      summary: `Search a part of the ${of.words}s by regular expression`,
      description: '`within` is a group of the tree, or a document with everything below it.',
      tags: [of.tag],
      body: Type.Object({
        ...SearchBody.properties,
        within: Uuid,
      }),
      answer: Items(of.SearchHit),
      reads: true,
    }),
    async (req) => {
      const { query, case_sensitive, context_lines, limit, within } = req.body
      const { db, actor } = req.ctx
      const hits = await searchDocuments(db, {
        projectId: actor.projectId,
        kind: of.kind,
        query,
        caseSensitive: case_sensitive,
        contextLines: context_lines,
        limit,
        within: await listIdsWithin(db, actor.projectId, of.kind, within),
      })
      return { items: hits.map(({ matches, ...document }) => ({ ...of.presentHit(document), matches })) }
    },
  )
}
