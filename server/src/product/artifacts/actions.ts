import type { Ctx, TxCtx } from '../../kernel/context.ts'
import { inTransaction } from '../../kernel/database/index.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import { recordEvent, recordEvents } from '../../kernel/events.ts'
import { checkExpected } from '../../kernel/expected.ts'
import { refuseStale } from '../../kernel/http/answers/etag.ts'
import { lockLinks, removeResources } from '../links/index.ts'
import { changeShared, prepareLater, replaceShared } from '../live-texts/index.ts'
import { adjustLive, authorizeWrite } from '../projects/index.ts'
import type { Artifact, Folder, StoredContent } from './artifact.ts'
import * as artifacts from './artifact.ts'
import { enqueueRemoval } from './bytes.ts'
import { storeMarkdown } from './content.ts'
import { artifactEvents } from './events.ts'
import { loadFolder, loadFolderToDelete, ROOT, reachFolder } from './folders.ts'
import { COUNTER, eventOf, insertLocked, refuseLongPath } from './insert.ts'
import { loadArtifact } from './load.ts'
import * as queries from './queries.ts'
import { representArtifact } from './representation.ts'
import { enqueueReading } from './texts/text-queries.ts'
import { keepReplaced } from './trash/keep-replaced.ts'
import { deleteVersions } from './versions/version-queries.ts'
import { addVersion, loadArtifactVersion } from './versions/versions.ts'
import * as writes from './writes.ts'

export interface NewArtifact {
  type: artifacts.Type
  name: string
  /** Already in the store, so no transaction waits for it. */
  content: StoredContent | null
  markdownContent: string | null
  /** At most one of the two. With neither, the root. */
  parentId?: string | null | undefined
  folderPath?: string | undefined
}

export function createArtifact(ctx: Ctx, draft: NewArtifact): Promise<Artifact> {
  return inTransaction(ctx, async (ctx) => {
    authorizeWrite(ctx.actor)
    await queries.lockFolders(ctx.db, ctx.actor.projectId, 'shared')
    const parent = draft.parentId
      ? await loadFolder(ctx, draft.parentId)
      : await reachFolder(ctx, draft.folderPath ?? '')
    const id = await insertLocked(ctx, { ...draft, parent })
    if (!id)
      throw artifacts.nameTaken(
        draft.name,
        parent.path,
        await queries.findByName(ctx.db, ctx.actor.projectId, parent.id, draft.name),
      )
    return loadArtifact(ctx, id)
  })
}

export interface ArtifactChange {
  name?: string | undefined
  /** The name that the new one replaces. */
  expectedName?: string | undefined
  markdownContent?: string | undefined
  parentId?: string | null | undefined
  /** The folder that it is moved out of. */
  expectedParentId?: string | null | undefined
}

export async function changeArtifact(ctx: Ctx, id: string, change: ArtifactChange): Promise<Artifact> {
  const before = await loadArtifact(ctx, id)
  authorizeWrite(ctx.actor)
  const { markdownContent } = change
  if (markdownContent !== undefined && before.type !== 'document') throw artifacts.onlyDocuments(before.type)
  await parentFor(ctx, before, change.parentId)
  refuseStale(ctx.ifMatch, () => representArtifact(before, ctx.store.bucket).etag)
  if (markdownContent === undefined) return inTransaction(ctx, (ctx) => changeLocked(ctx, id, change, undefined))
  // What people are typing into the document stays, on top of what is written here.
  return withStored(ctx, markdownContent, (content) =>
    replaceShared(ctx, id, () => inTransaction(ctx, (ctx) => changeLocked(ctx, id, change, content))),
  )
}

/** Stores the text before the write, and removes it again if the write did not use it. */
async function withStored(
  ctx: Ctx,
  markdownContent: string,
  write: (content: StoredContent) => Promise<Artifact>,
): Promise<Artifact> {
  const content = await storeMarkdown(ctx, markdownContent)
  const forget = () => ctx.store.remove([content.key]).catch(() => undefined)
  try {
    const after = await write(content)
    if (after.contentKey !== content.key) await forget()
    return after
  } catch (err) {
    // A refusal is certain. After any other failure, only the rows can tell whether the change was made.
    if (err instanceof AppError) await forget()
    throw err
  }
}

/** Writes the text of an earlier version as a new one. What was typed until now is a version before it. */
export const restoreArtifactVersion = (ctx: Ctx, id: string, versionId: string): Promise<Artifact> =>
  changeShared(ctx, id, async () => {
    const artifact = await loadArtifact(ctx, id)
    authorizeWrite(ctx.actor)
    const { markdownContent, versionNumber } = await loadArtifactVersion(ctx, id, versionId)
    if (markdownContent === artifact.markdownContent) return artifact
    return withStored(ctx, markdownContent, (content) =>
      inTransaction(ctx, (ctx) => changeLocked(ctx, id, { markdownContent }, content, versionNumber)),
    )
  })

async function changeLocked(
  ctx: TxCtx,
  id: string,
  { name, expectedName, parentId, expectedParentId, markdownContent }: ArtifactChange,
  content: StoredContent | undefined,
  restored?: number,
): Promise<Artifact> {
  const { projectId } = ctx.actor
  const isPlaced = name !== undefined || parentId !== undefined
  if (isPlaced) await queries.lockFolders(ctx.db, projectId, 'alone')
  const artifact = await queries.lockArtifact(ctx.db, projectId, id)
  if (!artifact) throw notFound('artifact', id)
  const parent = await parentFor(ctx, artifact, parentId)
  refuseStale(ctx.ifMatch, () => representArtifact(artifact, ctx.store.bucket).etag)
  checkExpected('name', artifact.name, name, expectedName)
  if (expectedParentId !== undefined && artifact.parentId !== expectedParentId && artifact.parentId !== parent.id)
    throw artifacts.movedSince(artifact)
  const fields = isPlaced ? await placeLocked(ctx, artifact, name ?? artifact.name, parent) : []
  // Checked here rather than when the bytes were stored, because another request may have written since.
  let version = {}
  if (content && markdownContent !== undefined && markdownContent !== artifact.markdownContent) {
    version = {
      ...(await addVersion(ctx, id, markdownContent)),
      ...(restored !== undefined && { restored_version_number: restored }),
    }
    await writes.replaceMarkdown(ctx.db, projectId, id, markdownContent, content)
    await enqueueRemoval(ctx.db, [artifact.contentKey!])
    await prepareLater(ctx, { kind: 'artifact', id }, markdownContent)
    fields.push('markdown_content')
  }
  if (fields.length === 0) return artifact
  await recordEvent(ctx, artifactEvents.updated(id, { fields, ...version }))
  return loadArtifact(ctx, id)
}

/**
 * Returns the folder that a change moves the artifact to. It is loaded before `If-Match` is checked: a missing one is a
 * 404.
 */
async function parentFor(ctx: Ctx, artifact: Artifact, parentId: string | null | undefined): Promise<Folder> {
  if (parentId === undefined) return { id: artifact.parentId, path: artifact.folderPath }
  return parentId === null ? ROOT : loadFolder(ctx, parentId)
}

/** Renames and moves. Returns the changed fields. */
async function placeLocked(ctx: TxCtx, artifact: Artifact, name: string, parent: Folder): Promise<string[]> {
  const { db, actor } = ctx
  const { id, type } = artifact
  const fields = [
    ...(name === artifact.name ? [] : ['name']),
    ...(parent.id === artifact.parentId ? [] : ['parent_id']),
  ]
  if (fields.length === 0) return fields
  refuseLongPath(parent, name)
  if (parent.id && type === 'folder' && (await queries.isWithin(db, actor.projectId, parent.id, id)))
    throw artifacts.intoItself(artifact.name)
  const taken = await queries.findByName(db, actor.projectId, parent.id, name)
  if (taken && taken.id !== id) throw artifacts.nameTaken(name, parent.path, taken)
  await writes.placeArtifact(db, actor.projectId, id, { parentId: parent.id, folderPath: parent.path, name })
  if (type === 'folder') await writes.rewritePaths(db, actor.projectId, id, artifacts.pathOf(parent.path, name))
  return fields
}

/** Replaces the content of a file with bytes that are in the store already. The earlier content goes to the trash. */
export function replaceContent(ctx: Ctx, id: string, content: StoredContent): Promise<Artifact> {
  return inTransaction(ctx, async (ctx) => {
    const { projectId } = ctx.actor
    const artifact = await queries.lockArtifact(ctx.db, projectId, id)
    if (!artifact) throw notFound('artifact', id)
    authorizeWrite(ctx.actor)
    if (artifact.type !== 'file') throw artifacts.onlyFiles(artifact.name, artifact.type)
    refuseStale(ctx.ifMatch, () => representArtifact(artifact, ctx.store.bucket).etag)
    await keepReplaced(ctx, artifact)
    await writes.replaceBytes(ctx.db, projectId, id, content)
    await enqueueReading(ctx.db)
    await recordEvent(ctx, artifactEvents.updated(id, { fields: ['content'] }))
    return loadArtifact(ctx, id)
  })
}

/** Deletes permanently. A folder is deleted with everything in it. */
export function deleteArtifact(ctx: Ctx, id: string): Promise<void> {
  return deleteFound(ctx, async () => id)
}

export function deleteFolderAt(ctx: Ctx, path: string): Promise<void> {
  return deleteFound(ctx, (ctx) => loadFolderToDelete(ctx, path))
}

function deleteFound(ctx: Ctx, find: (ctx: TxCtx) => Promise<string>): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const { projectId } = ctx.actor
    await lockLinks(ctx.db, projectId)
    await queries.lockFolders(ctx.db, projectId, 'alone')
    const id = await find(ctx)
    const artifact = await queries.lockArtifact(ctx.db, projectId, id)
    if (!artifact) throw notFound('artifact', id)
    authorizeWrite(ctx.actor)
    refuseStale(ctx.ifMatch, () => representArtifact(artifact, ctx.store.bucket).etag)
    const deleted = await writes.deleteWithin(ctx.db, projectId, id)
    const ids = deleted.map((one) => one.id)
    await removeResources(ctx.db, projectId, ids)
    await adjustLive(ctx.db, projectId, COUNTER, -ids.length)
    await recordEvents(
      ctx,
      deleted.map((one) => eventOf('deleted', one)),
    )
    // What can be restored keeps its bytes and its versions.
    if (ctx.keepsBytes) return
    await deleteVersions(ctx.db, projectId, ids)
    await enqueueRemoval(
      ctx.db,
      deleted.flatMap((one) => one.contentKey ?? []),
    )
  })
}
