import { Type } from 'typebox'
import { Markdown, Nullable, OneOf, Text, Title, Uuid } from '../../kernel/http/schema.ts'
import { defineTool, type Tool } from '../../kernel/slice.ts'
import { documentTools, listDocuments, presentDetail } from '../documents/index.ts'
import { createRequirements } from './actions.ts'
import { requirementsKind } from './kind.ts'
import { DOCUMENT_TYPES, KIND, presentRequirements } from './requirements-document.ts'

const domain = 'requirements'

export const requirementsTools: Tool[] = [
  defineTool({
    name: 'list_requirements_documents',
    domain,
    kind: 'view',
    description: 'Lists requirements documents: OVERVIEW ones about the product, FEATURE ones about its parts.',
    input: Type.Object({
      document_type: Type.Optional(Nullable(OneOf(DOCUMENT_TYPES))),
      title: Type.Optional(Nullable(Text(500), { description: 'Part of the title.' })),
      page: Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1 }),
    }),
    async run({ db, actor }, { document_type, title, page }) {
      const filters = { ...(document_type && { treeName: document_type }), ...(title && { title }) }
      const { rows, total } = await listDocuments(db, actor.projectId, KIND, filters, 50, (page - 1) * 50)
      return { items: rows.map(presentRequirements), total, page }
    },
  }),
  defineTool({
    name: 'create_requirements_document',
    domain,
    kind: 'create',
    description: 'Creates a requirements document. A FEATURE gets its blueprint with it.',
    input: Type.Object({
      title: Title(),
      document_type: OneOf(DOCUMENT_TYPES),
      markdown_content: Markdown({ default: '' }),
      parent_id: Type.Optional(Nullable(Uuid, { description: 'A document of the same type.' })),
    }),
    async run(ctx, { title, document_type, markdown_content, parent_id }) {
      const document = await createRequirements(ctx, {
        title,
        documentType: document_type,
        markdownContent: markdown_content,
        parentId: parent_id ?? null,
      })
      return presentDetail(requirementsKind, document)
    },
  }),
  ...documentTools(requirementsKind, domain),
]
