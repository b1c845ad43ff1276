import { Type } from 'typebox'
import { Markdown, Nullable, Text, Title, Uuid } from '../../kernel/http/schema.ts'
import { defineTool, type Tool } from '../../kernel/slice.ts'
import { documentTools, listDocuments, listTrees, presentDetail } from '../documents/index.ts'
import { createBlueprint } from './actions.ts'
import { KIND, presentBlueprint } from './blueprint.ts'
import { blueprintKind } from './kind.ts'

const domain = 'blueprints'

export const blueprintTools: Tool[] = [
  defineTool({
    name: 'list_blueprint_categories',
    domain,
    kind: 'view',
    description: 'Lists the categories that blueprints stand in.',
    input: Type.Object({}),
    async run({ db, actor }) {
      const trees = await listTrees(db, actor.projectId, KIND)
      return { items: trees.map(({ id, name, count }) => ({ id, name, count })) }
    },
  }),
  defineTool({
    name: 'list_blueprints',
    domain,
    kind: 'view',
    description: 'Lists blueprints: how the product is built.',
    input: Type.Object({
      title: Type.Optional(Nullable(Text(500), { description: 'Part of the title.' })),
      feature_id: Type.Optional(Nullable(Uuid, { description: 'The blueprint of this FEATURE document.' })),
      category_name: Type.Optional(Nullable(Text(500))),
      page: Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1 }),
    }),
    async run({ db, actor }, { title, feature_id, category_name, page }) {
      const filters = {
        ...(title && { title }),
        ...(feature_id && { pairedWith: feature_id }),
        ...(category_name && { treeName: category_name }),
      }
      const { rows, total } = await listDocuments(db, actor.projectId, KIND, filters, 50, (page - 1) * 50)
      return { items: rows.map(presentBlueprint), total, page }
    },
  }),
  defineTool({
    name: 'create_blueprint',
    domain,
    kind: 'create',
    description: 'Creates a blueprint, in the category "Custom" unless another or a parent is given.',
    input: Type.Object({
      title: Title(),
      markdown_content: Markdown({ default: '' }),
      parent_id: Type.Optional(Nullable(Uuid)),
      category_id: Type.Optional(Nullable(Uuid)),
    }),
    async run(ctx, { title, markdown_content, parent_id, category_id }) {
      const document = await createBlueprint(ctx, {
        title,
        markdownContent: markdown_content,
        parentId: parent_id ?? null,
        categoryId: category_id ?? null,
      })
      return presentDetail(blueprintKind, document)
    },
  }),
  ...documentTools(blueprintKind, domain),
]
