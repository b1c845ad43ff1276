import { findCharacterFault, NEVER_STORED } from '../../../engines/markdown/suggestions/validate.ts'
import type { TxCtx } from '../../../kernel/context.ts'
import { invalid } from '../../../kernel/errors.ts'
import { recordEvent } from '../../../kernel/events.ts'
import type { LiveText, LiveTexts, TypedText } from '../../../kernel/slice.ts'
import type { Artifact, StoredContent } from '../artifact.ts'
import { enqueueRemoval } from '../bytes.ts'
import { storeMarkdown } from '../content.ts'
import { artifactEvents } from '../events.ts'
import { findArtifact, lockArtifact } from '../queries.ts'
import { addTypedVersion } from '../versions/versions.ts'
import { replaceMarkdown } from '../writes.ts'

/** How people edit the documents of the knowledge base together. These have no suggestions. */
export const liveArtifacts: LiveTexts<Artifact & LiveText> = {
  rows: { table: 'artifacts', where: `t.type = 'document'`, version: 't.sha256' },

  find: async (db, projectId, id) => liveText(await findArtifact(db, projectId, id)),
  lock: async (db, projectId, id) => liveText(await lockArtifact(db, projectId, id)),

  listChangeIds: async () => [],

  async prepareWrite(ctx, _document, typed) {
    const { markdownContent } = typed
    const fault = findCharacterFault(markdownContent, NEVER_STORED)
    if (fault) throw invalid([{ pointer: '/markdown_content', detail: `Line ${fault.line}: ${fault.reason}` }])
    const content = await storeMarkdown(ctx, markdownContent)
    return {
      changeIds: [],
      async write(ctx, locked) {
        await writeTyped(ctx, locked, typed, content)
        return { version: content.sha256 }
      },
    }
  },
}

const liveText = (artifact: Artifact | undefined) =>
  artifact?.type === 'document'
    ? { ...artifact, version: artifact.sha256!, markdownContent: artifact.markdownContent! }
    : undefined

async function writeTyped(
  ctx: TxCtx,
  { id, contentKey }: Artifact,
  { markdownContent, authors }: TypedText,
  content: StoredContent,
): Promise<void> {
  const { projectId } = ctx.actor
  const { isFolded, ...version } = await addTypedVersion(ctx, id, markdownContent, authors)
  await replaceMarkdown(ctx.db, projectId, id, markdownContent, content)
  await enqueueRemoval(ctx.db, [contentKey!])
  for (const [at, author] of authors.entries())
    await recordEvent(
      { ...ctx, actor: { ...author, origin: 'user' } },
      artifactEvents.updated(id, {
        fields: ['markdown_content'],
        ...version,
        typed: true,
        // Only the first event of a version counts as news.
        ...((isFolded || at > 0) && { folded: true }),
      }),
    )
}
