import type { JobDeps } from '../../kernel/context.ts'
import { forProject } from '../../kernel/database/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { ThreadCrashError, ThreadDeadlineError } from '../../kernel/threads/threads.ts'
import { findProject, operatorCtx } from '../projects/index.ts'
import type { DocumentRef } from './document-name.ts'
import { loadState } from './stored-state.ts'

/**
 * Converts a document for editors, unless it was deleted in the meantime. If its thread was stopped, the job is not
 * repeated: it would be stopped again, and whoever opens the document has it converted then.
 */
export async function prepareDocument(payload: unknown, { db, wiring, log }: JobDeps): Promise<void> {
  const { projectId, ...ref } = payload as DocumentRef & { projectId: string }
  const project = await findProject(db, projectId)
  if (!project) return
  try {
    await loadState(operatorCtx({ db: forProject(db, projectId), wiring, log }, project), ref)
  } catch (err) {
    if (err instanceof ThreadDeadlineError || err instanceof ThreadCrashError)
      log.warn(
        { project_id: projectId, document_id: ref.id },
        `a document was not prepared for editors: ${err.message}`,
      )
    else if (!(err instanceof AppError && err.status === 404)) throw err
  }
}
