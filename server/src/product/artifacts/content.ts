import { Readable } from 'node:stream'
import type { Ctx, TxCtx } from '../../kernel/context.ts'
import { newKey } from '../../kernel/storage/index.ts'
import { computed } from '../../kernel/threads/compute-first.ts'
import { type Artifact, MARKDOWN_TYPE, noContent, STORE_PLACE, type StoredContent } from './artifact.ts'
import { loadArtifact } from './load.ts'

/** Stores the text of a document. Call it before the transaction that refers to it. */
export async function storeMarkdown(
  { store, actor }: Pick<Ctx, 'store' | 'actor'>,
  text: string,
): Promise<StoredContent> {
  const key = newKey(store, STORE_PLACE, actor.projectId)
  const written = await store.write(key, Readable.from([Buffer.from(text)], { objectMode: false }))
  return { key, contentType: MARKDOWN_TYPE, size: written.size, sha256: written.sha256 }
}

/** For a text that is known only in the transaction: like a long computation, it is stored between two attempts. */
export const storeFirst = (ctx: TxCtx, text: string): Promise<StoredContent> =>
  computed(ctx, 'store_markdown', text, { isLong: true, compute: () => storeMarkdown(ctx, text) })

/** An artifact with content. */
export type WithContent = Artifact & { contentType: string; sizeBytes: number; contentKey: string; sha256: string }

export async function loadWithContent(ctx: Ctx, id: string): Promise<WithContent> {
  const artifact = await loadArtifact(ctx, id)
  if (artifact.contentKey === null) throw noContent(artifact.name)
  return artifact as WithContent
}
