import { Type } from 'typebox'
import { firstCharacters } from '../../engines/text/characters.ts'
import type { Ctx } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { Markdown, Nullable, OneOf, Text, Uuid } from '../../kernel/http/schema.ts'
import { defineTool, type Tool } from '../../kernel/slice.ts'
import { changeArtifact, createArtifact, deleteArtifact } from './actions.ts'
import { PATH_LENGTH, presentArtifact, presentSummary, refuseBadName, TYPES } from './artifact.ts'
import { storeMarkdown } from './content.ts'
import { listIn } from './folders.ts'
import { loadArtifact } from './load.ts'
import { Name } from './schema.ts'
import { findFileText } from './texts/text-queries.ts'

const domain = 'artifacts'
const PAGE = 50
const TEXT_CHARACTERS = 50_000
const ById = Type.Object({ artifact_id: Uuid })

export const artifactTools: Tool[] = [
  defineTool({
    name: 'list_artifacts',
    domain,
    kind: 'view',
    description: `Lists the knowledge base: documents, files and folders, ${PAGE} on a page.`,
    input: Type.Object({
      folder_path: Type.Optional(
        Nullable(Text(PATH_LENGTH), { description: 'Only in this folder, with all below it.' }),
      ),
      name: Type.Optional(Nullable(Text(500), { description: 'Part of the name.' })),
      type: Type.Optional(Nullable(OneOf(TYPES))),
      page: Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1 }),
    }),
    async run(ctx, { folder_path, name, type, page }) {
      const filters = {
        folderPath: folder_path ?? undefined,
        recursive: true,
        name: name ?? undefined,
        type: type ?? undefined,
      }
      const { rows, total } = await listIn(ctx, filters, PAGE, (page - 1) * PAGE)
      return { items: rows.map((row) => presentSummary(row, ctx.store.bucket)), total, page }
    },
  }),
  defineTool({
    name: 'get_artifact',
    domain,
    kind: 'view',
    description: `Reads an artifact: a document with its markdown; a PDF, office or text file with the first ${TEXT_CHARACTERS} characters of its words in "text".`,
    input: ById,
    async run(ctx, { artifact_id }) {
      const artifact = await loadArtifact(ctx, artifact_id)
      const text = artifact.type === 'file' ? await findFileText(ctx.db, ctx.actor.projectId, artifact_id) : null
      const shown = { ...presentArtifact(artifact, ctx.store.bucket), parent_id: artifact.parentId }
      return text === null ? shown : { ...shown, text: firstCharacters(text, TEXT_CHARACTERS) }
    },
  }),
  defineTool({
    name: 'create_artifact',
    domain,
    kind: 'create',
    description: 'Creates a document with markdown, or a folder.',
    input: Type.Object({
      name: Name,
      type: OneOf(['document', 'folder'], { default: 'document' }),
      markdown_content: Markdown({ default: '' }),
      parent_id: Type.Optional(Nullable(Uuid, { description: 'A folder; the root if left out.' })),
    }),
    run: (ctx, draft) => create(ctx, draft),
  }),
  defineTool({
    name: 'update_artifact',
    domain,
    kind: 'edit',
    description: 'Renames or moves an artifact, or replaces the whole markdown of a document.',
    input: Type.Object({
      artifact_id: Uuid,
      name: Type.Optional(Name),
      markdown_content: Type.Optional(Markdown()),
      parent_id: Type.Optional(Nullable(Uuid, { description: 'A folder; null for the root.' })),
    }),
    async run(ctx, { artifact_id, name, markdown_content, parent_id }) {
      if (name !== undefined) refuseBadName(name, '/name')
      const change = { name, markdownContent: markdown_content, parentId: parent_id }
      return presentArtifact(await changeArtifact(ctx, artifact_id, change), ctx.store.bucket)
    },
  }),
  defineTool({
    name: 'delete_artifact',
    domain,
    kind: 'delete',
    description: 'Deletes an artifact, a folder with all that is in it. Only when you were asked to.',
    input: ById,
    async run(ctx, { artifact_id }) {
      await deleteArtifact(ctx, artifact_id)
      return { deleted: artifact_id }
    },
  }),
]

interface Draft {
  name: string
  type: 'document' | 'folder'
  markdown_content: string
  parent_id?: string | null
}

async function create(ctx: Ctx, { name, type, markdown_content, parent_id }: Draft) {
  refuseBadName(name, '/name')
  const content = type === 'document' ? await storeMarkdown(ctx, markdown_content) : null
  const markdownContent = type === 'document' ? markdown_content : null
  try {
    const artifact = await createArtifact(ctx, { type, name, content, markdownContent, parentId: parent_id })
    return presentArtifact(artifact, ctx.store.bucket)
  } catch (err) {
    // A refusal is certain. After any other failure, only the rows can tell whether it was created.
    if (content && err instanceof AppError) await ctx.store.remove([content.key]).catch(() => undefined)
    throw err
  }
}
