import { Type } from 'typebox'
import { operation } from '../../kernel/http/operation.ts'
import { answerPage, offsetOf, Paged, PageQuery } from '../../kernel/http/paging.ts'
import type { Face } from '../../kernel/http/request.ts'
import { Data, Nullable, OneOf, Title, Uuid } from '../../kernel/http/schema.ts'
import {
  answerDocument,
  answerDocumentDetail,
  listDocuments,
  NewContent,
  registerDocumentRoutes,
  TitleFilter,
} from '../documents/index.ts'
import { createRequirements, moveRequirements } from './actions.ts'
import { requirementsKind } from './kind.ts'
import {
  DOCUMENT_TYPES,
  KIND,
  presentRequirements,
  RequirementsDocument,
  RequirementsSummary,
} from './requirements-document.ts'

const tags = ['Requirements']

const ListQuery = Type.Object({
  document_type: Type.Optional(Nullable(OneOf(DOCUMENT_TYPES))),
  title: TitleFilter,
  ...PageQuery,
})

const CreateBody = Type.Object({
  title: Title({ examples: ['Sign in'] }),
  document_type: OneOf(DOCUMENT_TYPES),
  markdown_content: NewContent,
  parent_id: Type.Optional(Nullable(Uuid, { examples: [null] })),
})

const MoveBody = Type.Partial(
  Type.Object({
    parent_id: Nullable(Uuid, { examples: [null] }),
    position: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, examples: [0] }),
  }),
)

export function registerRequirementsRoutes(face: Face) {
  face.get(
    '/requirements',
    operation({
      id: 'listRequirementsDocuments',
      summary: 'List requirements documents',
      tags,
      query: ListQuery,
      answer: Paged(RequirementsSummary),
      sharedRead: true,
    }),
    async (req, reply) => {
      const { document_type, title } = req.query
      const filters = { ...(document_type && { treeName: document_type }), ...(title && { title }) }
      const { rows, total } = await listDocuments(
        req.ctx.db,
        req.ctx.actor.projectId,
        KIND,
        filters,
        req.query.page_size,
        offsetOf(req.query),
      )
      return answerPage(req, reply, { rows: rows.map(presentRequirements), total })
    },
  )

  face.post(
    '/requirements',
    operation({
      id: 'createRequirementsDocument',
      summary: 'Create a requirements document',
      description: 'A FEATURE document gets its feature blueprint in the same moment.',
      tags,
      body: CreateBody,
      answers: { 201: Data(RequirementsDocument) },
      refuses: [404],
    }),
    async (req, reply) => {
      const { title, document_type, markdown_content = '', parent_id = null } = req.body
      const document = await createRequirements(req.ctx, {
        title,
        documentType: document_type,
        markdownContent: markdown_content,
        parentId: parent_id,
      })
      reply.code(201)
      return answerDocumentDetail(requirementsKind, req, reply, document)
    },
  )

  face.put(
    '/requirements/:document_id/move',
    operation({
      id: 'moveRequirementsDocument',
      summary: 'Move within the tree of its type',
      tags,
      params: Type.Object({ document_id: Uuid }),
      body: MoveBody,
      answer: Data(RequirementsDocument),
      etag: true,
      refuses: [409],
    }),
    async (req, reply) => {
      const move = { parentId: req.body.parent_id, position: req.body.position }
      return answerDocument(requirementsKind, req, reply, await moveRequirements(req.ctx, req.params.document_id, move))
    },
  )

  registerDocumentRoutes(face, requirementsKind)
}
