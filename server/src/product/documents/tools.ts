import { Type } from 'typebox'
import type { Ctx } from '../../kernel/context.ts'
import { FilledText, Markdown, Nullable, Title, Uuid } from '../../kernel/http/schema.ts'
import { defineTool, type Tool } from '../../kernel/slice.ts'
import { renameDocument } from './actions.ts'
import { listThreads, replyToThread, startThread } from './comments/comments.ts'
import { type Document, presentThread, presentVersion } from './document.ts'
import type { DocumentKind } from './kind.ts'
import { linesOf, refuseBackwards } from './lines.ts'
import { loadDocument, loadOutline } from './loading.ts'
import { presentDetail } from './representation.ts'
import { searchDocuments } from './search/search.ts'
import { suggest } from './suggestions/suggestions.ts'
import { diffVersions } from './versions/diff.ts'
import { listVersions, writeDocument } from './versions/versions.ts'

const LATEST_VERSIONS = 20

const Line = Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })))
const ById = Type.Object({ id: Uuid })

/**
 * Returns the tools that agents have for every kind of document. The slices define the tools for lists and creation.
 */
export function documentTools(of: DocumentKind, domain: string): Tool[] {
  const { kind, words, presentSummary } = of
  const noun = kind
  /** Leaves out the content: the agent has just sent it, and it may be long. */
  const brief = (document: Document) => ({
    ...presentSummary(document),
    version_id: document.versionId,
    version_number: document.versionNumber,
  })

  return [
    defineTool({
      name: `search_${noun}s`,
      domain,
      kind: 'view',
      description: `Searches titles and lines of ${words}s by a regular expression (no look-around), ignoring case.`,
      input: Type.Object({
        query: FilledText(1_000),
        limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
      }),
      async run(ctx, { query, limit }) {
        const search = { projectId: ctx.actor.projectId, kind, query, limit, contextLines: 1 }
        const hits = await searchDocuments(ctx.db, search)
        return { items: hits.map(({ id, title, matches }) => ({ id, title, matches })) }
      },
    }),
    defineTool({
      name: `get_${noun}`,
      domain,
      kind: 'view',
      description: `Reads a ${words} with its markdown, or only some of its lines (from 1, both included).`,
      input: Type.Object({ id: Uuid, start_line: Line, end_line: Line }),
      async run(ctx, { id, start_line, end_line }) {
        refuseBackwards({ start_line: start_line ?? null, end_line: end_line ?? null })
        const document = await loadDocument(ctx, kind, id)
        const shown = linesOf(document.markdownContent, start_line ?? undefined, end_line ?? undefined)
        return presentDetail(of, { ...document, markdownContent: shown })
      },
    }),
    defineTool({
      name: `list_${noun}_versions`,
      domain,
      kind: 'view',
      description: `Lists the latest ${LATEST_VERSIONS} versions of a ${words}: when each was made, and by whom.`,
      input: ById,
      async run(ctx, { id }) {
        const versions = await listVersions(ctx, kind, id)
        return { items: versions.slice(0, LATEST_VERSIONS).map(presentVersion), total: versions.length }
      },
    }),
    defineTool({
      name: `diff_${noun}_versions`,
      domain,
      kind: 'view',
      description: `Shows what changed in a ${words} between two versions, as a unified diff. Without "to", up to now.`,
      input: Type.Object({ id: Uuid, from_version_id: Uuid, to_version_id: Type.Optional(Nullable(Uuid)) }),
      async run(ctx, { id, from_version_id, to_version_id }) {
        const to = to_version_id ?? (await loadOutline(ctx, kind, id)).versionId
        return diffVersions(ctx, kind, id, from_version_id, to)
      },
    }),
    defineTool({
      name: `list_${noun}_comments`,
      domain,
      kind: 'view',
      description: `Lists the comment threads of a ${words}.`,
      input: ById,
      run: async (ctx, { id }) => ({ items: (await listThreads(ctx, kind, id)).map(presentThread) }),
    }),
    defineTool({
      name: `write_${noun}`,
      domain,
      kind: 'edit',
      description: `Replaces the whole markdown of a ${words}. Read it first; for a small change prefer suggest_${noun}_change.`,
      input: Type.Object({ id: Uuid, markdown_content: Markdown() }),
      run: async (ctx, { id, markdown_content }) => brief(await writeDocument(ctx, kind, id, markdown_content)),
    }),
    defineTool({
      name: `suggest_${noun}_change`,
      domain,
      kind: 'edit',
      description: `Suggests to replace a text that occurs once in a ${words}. A person accepts or rejects it.`,
      input: Type.Object({
        id: Uuid,
        old_text: Markdown({ description: 'As it stands in the markdown; empty only for an empty document.' }),
        new_text: Markdown(),
        replace_all: Type.Boolean({ default: false }),
      }),
      async run(ctx, { id, old_text, new_text, replace_all }) {
        const suggestion = { oldText: old_text, newText: new_text, replaceAll: replace_all }
        return { status: 'applied', change_ids: await suggest(ctx, kind, id, suggestion) }
      },
    }),
    defineTool({
      name: `rename_${noun}`,
      domain,
      kind: 'edit',
      description: `Gives a ${words} another title.`,
      input: Type.Object({ id: Uuid, title: Title() }),
      run: async (ctx, { id, title }) => brief(await renameDocument(ctx, kind, id, title)),
    }),
    defineTool({
      name: `comment_${noun}`,
      domain,
      kind: 'edit',
      description: `Starts a comment thread on a ${words}, or replies in one.`,
      input: Type.Object({ id: Uuid, thread_id: Type.Optional(Nullable(Uuid)), message: FilledText(100_000) }),
      run: (ctx, { id, thread_id, message }) => comment(ctx, of, id, thread_id ?? undefined, message),
    }),
    defineTool({
      name: `delete_${noun}`,
      domain,
      kind: 'delete',
      description: `Deletes a ${words} for good. Only when you were asked to.`,
      input: ById,
      async run(ctx, { id }) {
        await of.deleteDocument(ctx, id)
        return { deleted: id }
      },
    }),
  ]
}

async function comment(ctx: Ctx, { kind }: DocumentKind, id: string, threadId: string | undefined, message: string) {
  const thread =
    threadId === undefined
      ? await startThread(ctx, kind, id, message, false)
      : await replyToThread(ctx, kind, id, threadId, message)
  return presentThread(thread)
}
