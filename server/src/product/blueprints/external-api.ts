import { Type } from 'typebox'
import { operation } from '../../kernel/http/operation.ts'
import { answerPage, offsetOf, Paged, PageQuery } from '../../kernel/http/paging.ts'
import type { Face } from '../../kernel/http/request.ts'
import { Data, Items, Nullable, Text, Title, Uuid } from '../../kernel/http/schema.ts'
import {
  answerDocument,
  answerDocumentDetail,
  listDocuments,
  listTrees,
  NewContent,
  registerDocumentRoutes,
  TitleFilter,
} from '../documents/index.ts'
import { createBlueprint, moveBlueprint } from './actions.ts'
import { Blueprint, BlueprintSummary, Category, FEATURE_CATEGORY, KIND, presentBlueprint } from './blueprint.ts'
import { blueprintKind } from './kind.ts'

const tags = ['Blueprints']

const ListQuery = Type.Object({
  title: TitleFilter,
  feature_id: Type.Optional(Nullable(Uuid, { description: 'The blueprint of this FEATURE document.' })),
  category_name: Type.Optional(Text(500, { description: 'The whole name of a category, in any case.' })),
  ...PageQuery,
})

const CreateBody = Type.Object({
  title: Title({ examples: ['Checkout service'] }),
  markdown_content: NewContent,
  parent_id: Type.Optional(Nullable(Uuid, { examples: [null] })),
  category_id: Type.Optional(Nullable(Uuid, { examples: [null] })),
})

const MoveBody = Type.Partial(
  Type.Object({
    parent_id: Nullable(Uuid, { examples: [null] }),
    category_id: Nullable(Uuid, { examples: [null] }),
    position: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, examples: [0] }),
  }),
)

export function registerBlueprintRoutes(face: Face) {
  face.get(
    '/blueprints/categories',
    operation({ id: 'listBlueprintCategories', summary: 'List categories', tags, answer: Items(Category) }),
    async (req) => {
      const trees = await listTrees(req.ctx.db, req.ctx.actor.projectId, KIND)
      const items = trees.map(({ id, name, locked, count }) => ({
        object: 'blueprint_category' as const,
        id,
        name,
        locked,
        is_feature_blueprints: name === FEATURE_CATEGORY,
        count,
      }))
      return { items }
    },
  )

  face.get(
    '/blueprints',
    operation({
      id: 'listBlueprints',
      summary: 'List blueprints',
      tags,
      query: ListQuery,
      answer: Paged(BlueprintSummary),
      sharedRead: true,
    }),
    async (req, reply) => {
      const { title, feature_id, category_name } = req.query
      const filters = {
        ...(title && { title }),
        ...(feature_id && { pairedWith: feature_id }),
        ...(category_name && { treeName: category_name }),
      }
      const { rows, total } = await listDocuments(
        req.ctx.db,
        req.ctx.actor.projectId,
        KIND,
        filters,
        req.query.page_size,
        offsetOf(req.query),
      )
      return answerPage(req, reply, { rows: rows.map(presentBlueprint), total })
    },
  )

  face.post(
    '/blueprints',
    operation({
      id: 'createBlueprint',
      summary: 'Create a blueprint',
      description: 'In the category "Custom" unless `category_id` or `parent_id` says otherwise.',
      tags,
      body: CreateBody,
      answers: { 201: Data(Blueprint) },
      refuses: [404],
    }),
    async (req, reply) => {
      const { title, markdown_content = '', parent_id = null, category_id = null } = req.body
      const document = await createBlueprint(req.ctx, {
        title,
        markdownContent: markdown_content,
        parentId: parent_id,
        categoryId: category_id,
      })
      reply.code(201)
      return answerDocumentDetail(blueprintKind, req, reply, document)
    },
  )

  face.put(
    '/blueprints/:blueprint_document_id/move',
    operation({
      id: 'moveBlueprint',
      summary: 'Move within its category or to another',
      tags,
      params: Type.Object({ blueprint_document_id: Uuid }),
      body: MoveBody,
      answer: Data(Blueprint),
      etag: true,
      refuses: [409],
    }),
    async (req, reply) => {
      const move = { parentId: req.body.parent_id, categoryId: req.body.category_id, position: req.body.position }
      return answerDocument(
        blueprintKind,
        req,
        reply,
        await moveBlueprint(req.ctx, req.params.blueprint_document_id, move),
      )
    },
  )

  registerDocumentRoutes(face, blueprintKind)
}
