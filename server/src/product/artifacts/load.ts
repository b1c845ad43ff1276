import type { Ctx } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import type { Artifact } from './artifact.ts'
import { findArtifact } from './queries.ts'

export async function loadArtifact(ctx: Ctx, id: string): Promise<Artifact> {
  const artifact = await findArtifact(ctx.db, ctx.actor.projectId, id)
  if (!artifact) throw notFound('artifact', id)
  return artifact
}
