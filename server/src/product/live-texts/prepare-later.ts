import type { TxCtx } from '../../kernel/context.ts'
import { enqueueOnce } from '../../kernel/jobs/jobs.ts'
import type { DocumentRef } from './document-name.ts'

/** The job that runs `prepareDocument`. */
export const PREPARE_DOCUMENT = 'prepare_document'
const LONG_CHARACTERS = 100_000
/** Someone who writes a document several times in a row has it prepared once. */
const AFTER_MS = 1_000

/**
 * Queues the conversion of a long document, so that the first editor does not wait for it. One document after the other
 * is converted, because people who open theirs need the same threads.
 */
export async function prepareLater(ctx: TxCtx, { kind, id }: DocumentRef, markdownContent: string): Promise<void> {
  if (markdownContent.length < LONG_CHARACTERS) return
  const { projectId } = ctx.actor
  const once = { key: `${PREPARE_DOCUMENT} ${projectId} ${id}`, afterMs: AFTER_MS, queue: PREPARE_DOCUMENT }
  await enqueueOnce(ctx.db, PREPARE_DOCUMENT, { projectId, kind, id }, once)
}
