import { isLongerThan } from '../../engines/text/characters.ts'
import type { TxCtx } from '../../kernel/context.ts'
import { recordEvent } from '../../kernel/events.ts'
import { uuidv7 } from '../../kernel/uuid.ts'
import { registerResources, removeResources } from '../links/index.ts'
import { prepareLater } from '../live-texts/index.ts'
import { adjustLive } from '../projects/index.ts'
import {
  type Artifact,
  type Folder,
  PATH_LENGTH,
  pathOf,
  pathTooLong,
  type StoredContent,
  type Type,
} from './artifact.ts'
import { artifactEvents } from './events.ts'
import { formatOf } from './texts/format.ts'
import { enqueueReading } from './texts/text-queries.ts'
import { insertArtifact } from './writes.ts'

export const COUNTER = 'artifact'

interface Insertion {
  type: Type
  parent: Folder
  name: string
  content: StoredContent | null
  markdownContent: string | null
}

/** Returns undefined if the name is taken. */
export async function insertLocked(
  ctx: TxCtx,
  { type, parent, name, content, markdownContent }: Insertion,
): Promise<string | undefined> {
  const { projectId, userId, userName } = ctx.actor
  refuseLongPath(parent, name)
  const id = uuidv7()
  await registerResources(ctx.db, projectId, 'artifact', [id])
  const place = { parentId: parent.id, folderPath: parent.path, name }
  const columns = { id, type, ...place, content, markdownContent, userId, userName }
  if (!(await insertArtifact(ctx.db, projectId, columns))) {
    await removeResources(ctx.db, projectId, [id])
    return undefined
  }
  if (markdownContent !== null) await prepareLater(ctx, { kind: 'artifact', id }, markdownContent)
  await adjustLive(ctx.db, projectId, COUNTER, 1)
  if (content && type === 'file' && formatOf(name, content.contentType)) await enqueueReading(ctx.db)
  await recordEvent(ctx, eventOf('created', { id, type, name, folderPath: parent.path }))
  return id
}

export function refuseLongPath(parent: Folder, name: string): void {
  if (isLongerThan(pathOf(parent.path, name), PATH_LENGTH)) throw pathTooLong()
}

export const eventOf = (
  what: 'created' | 'deleted' | 'restored',
  { id, type, name, folderPath }: Pick<Artifact, 'id' | 'type' | 'name' | 'folderPath'>,
) => artifactEvents[what](id, { type, name, folder_path: folderPath })
