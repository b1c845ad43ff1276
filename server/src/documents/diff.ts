import { createPatch } from 'diff'
import type { Ctx } from '../kernel/context.ts'
import type { ResourceType } from '../links/index.ts'
import { loadVersion } from './versions.ts'

/** The unified diff that leads from one version to another. */
export async function diffVersions(ctx: Ctx, kind: ResourceType, id: string, fromId: string, toId: string) {
  const from = await loadVersion(ctx, kind, id, fromId)
  const to = await loadVersion(ctx, kind, id, toId)
  return {
    object: 'version_diff' as const,
    from_version_id: from.versionId,
    to_version_id: to.versionId,
    diff: createPatch(
      from.title,
      from.markdownContent,
      to.markdownContent,
      `Version ${from.versionNumber}`,
      `Version ${to.versionNumber}`,
    ),
  }
}
