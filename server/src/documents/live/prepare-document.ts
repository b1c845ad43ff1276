import type { JobDeps } from '../../kernel/context.ts'
import { forProject } from '../../kernel/database/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { findProject, operatorCtx } from '../../projects/index.ts'
import type { DocumentRef } from './document-name.ts'
import { loadState } from './stored-state.ts'

/** Converts a document for editors, unless it was deleted in the meantime. */
export async function prepareDocument(payload: unknown, { db, wiring, log }: JobDeps): Promise<void> {
  const { projectId, ...ref } = payload as DocumentRef & { projectId: string }
  const project = await findProject(db, projectId)
  if (!project) return
  try {
    await loadState(operatorCtx({ db: forProject(db, projectId), wiring, log }, project), ref)
  } catch (err) {
    if (!(err instanceof AppError && err.status === 404)) throw err
  }
}
