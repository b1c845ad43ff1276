import { findCharacterFault, NEVER_STORED } from '../../../engines/markdown/suggestions/validate.ts'
import type { TxCtx } from '../../../kernel/context.ts'
import { invalid } from '../../../kernel/errors.ts'
import { recordEvent } from '../../../kernel/events.ts'
import type { LiveText, LiveTexts, TypedText } from '../../../kernel/slice.ts'
import type { Artifact, StoredContent } from '../artifact.ts'
import { enqueueRemoval } from '../bytes.ts'
import { storeFirst } from '../content.ts'
import { lockArtifact } from '../queries.ts'
import { addTypedVersion } from '../versions/versions.ts'
import { replaceMarkdown } from '../writes.ts'

/** How people edit the documents of the knowledge base together. These have no suggestions. */
export const liveArtifacts: LiveTexts<Artifact & LiveText> = {
  rows: { table: 'artifacts', where: `t.type = 'document'`, version: 't.sha256' },

  async lock(db, projectId, id) {
    const artifact = await lockArtifact(db, projectId, id)
    if (artifact?.type !== 'document') return undefined
    return { ...artifact, version: artifact.sha256!, markdownContent: artifact.markdownContent! }
  },

  listChangeIds: async () => [],

  async prepareWrite(ctx, document, typed) {
    const { markdownContent } = typed
    const fault = findCharacterFault(markdownContent, NEVER_STORED)
    if (fault) throw invalid([{ pointer: '/markdown_content', detail: `Line ${fault.line}: ${fault.reason}` }])
    const content = await storeFirst(ctx, markdownContent)
    return {
      changeIds: [],
      async write() {
        await writeTyped(ctx, document, typed, content)
        return { version: content.sha256 }
      },
    }
  },
}

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
      {
        kind: 'artifact.updated',
        subjectType: 'artifact',
        subjectId: id,
        payload: {
          fields: ['markdown_content'],
          ...version,
          typed: true,
          // Only the first event of a version counts as news.
          ...((isFolded || at > 0) && { folded: true }),
        },
      },
    )
}
