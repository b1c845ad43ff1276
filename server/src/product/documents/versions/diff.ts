import type { Ctx } from '../../../kernel/context.ts'
import type { ResourceType } from '../../links/index.ts'
import { differenceOf } from '../markdown.ts'
import { loadVersion } from './versions.ts'

/** Returns the unified diff between two versions. */
export async function diffVersions(ctx: Ctx, kind: ResourceType, id: string, fromId: string, toId: string) {
  const from = await loadVersion(ctx, kind, id, fromId)
  const to = await loadVersion(ctx, kind, id, toId)
  return {
    object: 'version_diff' as const,
    from_version_id: from.versionId,
    to_version_id: to.versionId,
    diff: await differenceOf(ctx, {
      title: from.title,
      source: from.markdownContent,
      target: to.markdownContent,
      sourceName: `Version ${from.versionNumber}`,
      targetName: `Version ${to.versionNumber}`,
    }),
  }
}
