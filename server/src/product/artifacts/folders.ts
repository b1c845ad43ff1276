import type { Ctx, TxCtx } from '../../kernel/context.ts'
import type { Db } from '../../kernel/database/index.ts'
import { fieldNotFound, notFound } from '../../kernel/errors.ts'
import { findResources } from '../links/index.ts'
import {
  type ArtifactSummary,
  type Folder,
  notAFolder,
  pathOf,
  refuseBadPath,
  rootFolder,
  segmentsOf,
  wrongParent,
} from './artifact.ts'
import { insertLocked } from './insert.ts'
import { findArtifact, findByName, type ListFilters, listArtifacts, walkPath } from './queries.ts'

export const ROOT: Folder = { id: null, path: '' }

/** Returns the folder that a `parent_id` names. */
export async function loadFolder(ctx: Ctx, id: string): Promise<Folder> {
  const { db, actor } = ctx
  const found = await findArtifact(db, actor.projectId, id)
  if (found?.type === 'folder') return { id: found.id, path: pathOf(found.folderPath, found.name) }
  if (found) throw wrongParent(id, found.type)
  const other = (await findResources(db, actor.projectId, [id])).get(id.toLowerCase())
  throw other ? wrongParent(id, other) : fieldNotFound('folder', id, '/parent_id')
}

/** Returns the folder at a path. Creates missing folders on the way. */
export async function reachFolder(ctx: TxCtx, path: string): Promise<Folder> {
  refuseBadPath(path)
  const segments = segmentsOf(path)
  let folder = ROOT
  const there = await walkPath(ctx.db, ctx.actor.projectId, segments)
  for (const step of there) {
    const path = pathOf(folder.path, step.name)
    if (step.type !== 'folder') throw notAFolder(path)
    folder = { id: step.id, path }
  }
  for (const name of segments.slice(there.length)) folder = await enterFolder(ctx, folder, name)
  return folder
}

/** Creates a folder, or returns the one that another request has just created. */
async function enterFolder(ctx: TxCtx, parent: Folder, name: string): Promise<Folder> {
  const path = pathOf(parent.path, name)
  const id = await insertLocked(ctx, { type: 'folder', parent, name, content: null, markdownContent: null })
  if (id) return { id, path }
  const other = await findByName(ctx.db, ctx.actor.projectId, parent.id, name)
  if (other?.type !== 'folder') throw notAFolder(path)
  return { id: other.id, path: pathOf(parent.path, other.name) }
}

/** Returns the id of the folder at a path: null for the root, undefined if there is none. */
async function findFolder(db: Db, projectId: string, path: string): Promise<string | null | undefined> {
  const segments = segmentsOf(path)
  if (segments.length === 0) return null
  const there = await walkPath(db, projectId, segments)
  const last = there[segments.length - 1]
  return last?.type === 'folder' ? last.id : undefined
}

export async function loadFolderToDelete(ctx: Ctx, path: string): Promise<string> {
  const id = await findFolder(ctx.db, ctx.actor.projectId, path)
  if (id === null) throw rootFolder()
  if (id === undefined) throw notFound('folder', path)
  return id
}

/** Lists a folder, or everything if no path is given. An unknown path is empty. */
export async function listIn(
  ctx: Ctx,
  { folderPath, ...filters }: Omit<ListFilters, 'folderId'> & { folderPath: string | undefined },
  limit: number,
  offset: number,
): Promise<{ rows: ArtifactSummary[]; total: number }> {
  const { db, actor } = ctx
  if (folderPath === undefined)
    return listArtifacts(db, actor.projectId, { ...filters, folderId: undefined }, limit, offset)
  const folderId = await findFolder(db, actor.projectId, folderPath)
  if (folderId === undefined) return { rows: [], total: 0 }
  return listArtifacts(db, actor.projectId, { ...filters, folderId }, limit, offset)
}
