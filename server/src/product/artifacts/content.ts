import { Readable } from 'node:stream'
import type { Ctx } from '../../kernel/context.ts'
import { newKey } from '../../kernel/storage/index.ts'
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

/** An artifact with content. */
export type WithContent = Artifact & { contentType: string; sizeBytes: number; contentKey: string; sha256: string }

export async function loadWithContent(ctx: Ctx, id: string): Promise<WithContent> {
  const artifact = await loadArtifact(ctx, id)
  if (artifact.contentKey === null) throw noContent(artifact.name)
  return artifact as WithContent
}
