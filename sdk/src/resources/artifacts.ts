import * as op from '../generated/operations/artifacts.ts'
import type { Body, Call, Options, Query, Schemas } from '../operation.ts'

export type Artifact = Schemas['Artifact']
export type ArtifactSummary = Schemas['ArtifactSummary']

export type ArtifactRow = Schemas['ArtifactRow']
export type ArtifactFolder = Schemas['ArtifactFolder']
export type ArtifactUse = Schemas['ArtifactUse']
export type ArtifactOutcome = Schemas['ArtifactOutcome']
export type ArtifactUpload = Schemas['ArtifactUpload']
export type ArtifactSort = NonNullable<Query<'listArtifactRows'>['sort']>
export type TrashedArtifact = Schemas['TrashedArtifact']

export interface NewFile {
  /** A stream is sent as it is read, which browsers allow only over HTTP/2. */
  file: Blob | ReadableStream<Uint8Array>
  /** Defaults to the name of a `File`. */
  name?: string | undefined
  content_type?: string | undefined
  /** The folder it lies in. */
  parent_id?: string | null | undefined
}

export type NewArtifact = Body<'createArtifact'> | NewFile

export const artifacts = (call: Call) => ({
  /** List artifacts. */
  list: (query: Query<'listArtifacts'> = {}, options?: Options) => call(op.listArtifacts, { query }, options),
  /** Read an artifact. */
  get: (id: string, options?: Options) => call(op.getArtifact, { path: { artifact_id: id } }, options),
  /** Upload a file, or create a document or a folder. */
  create: (artifact: NewArtifact, options?: Options) => call(op.createArtifact, inputOf(artifact), options),
  /** Rename or move it, or rewrite a document. */
  update: (id: string, body: Body<'updateArtifact'>, options?: Options) =>
    call(op.updateArtifact, { path: { artifact_id: id }, body }, options),
  /** Delete it; a folder with everything in it. */
  delete: (id: string, options?: Options) => call(op.deleteArtifact, { path: { artifact_id: id } }, options),
  /** Delete a folder by its path. */
  deleteFolder: (body: Body<'deleteArtifactFolder'>, options?: Options) =>
    call(op.deleteArtifactFolder, { body }, options),
  /** Download the content. */
  download: (id: string, options?: Options) =>
    call.download(op.getArtifactContent, { path: { artifact_id: id } }, options),
  /** The address of the content. With a session, a browser can open it by itself, as the source of a picture. */
  contentUrl: (id: string) => call.urlOf(op.getArtifactContent, { path: { artifact_id: id } }),
})

/** With what only people who are signed in can do. */
export const ownArtifacts = (call: Call) => ({
  ...artifacts(call),
  /** List a folder, or search in it and below it. */
  listRows: (query: Query<'listArtifactRows'> = {}, options?: Options) => call(op.listArtifactRows, { query }, options),
  /** Read what lists show of an artifact. */
  getRow: (id: string, options?: Options) => call(op.getArtifactRow, { path: { artifact_id: id } }, options),
  /** Begin an upload in parts. */
  beginUpload: (body: Body<'beginArtifactUpload'>, options?: Options) =>
    call(op.beginArtifactUpload, { body }, options),
  /** Read which parts of an upload have arrived. */
  getUpload: (id: string, options?: Options) => call(op.getArtifactUpload, { path: { upload_id: id } }, options),
  /** Send a part of an upload. */
  putPart: (id: string, number: number, part: Blob, options?: Options) =>
    call(op.putArtifactPart, { path: { upload_id: id, number }, ...inputOf({ file: part }) } as never, options),
  /** Make a file of the parts. */
  finishUpload: (id: string, body: Body<'finishArtifactUpload'>, options?: Options) =>
    call(op.finishArtifactUpload, { path: { upload_id: id }, body }, options),
  /** Cancel an upload in parts. */
  cancelUpload: (id: string, options?: Options) => call(op.cancelArtifactUpload, { path: { upload_id: id } }, options),
  /** List all folders, with the number of files in each. */
  listFolders: (options?: Options) => call(op.listArtifactFolders, {}, options),
  /** List what an artifact is used in. */
  listUses: (id: string, options?: Options) => call(op.listArtifactUses, { path: { artifact_id: id } }, options),
  /** Read the shared state of a document, which live editing begins with. */
  getLiveState: (id: string, options?: Options) =>
    call.download(op.getArtifactLiveState, { path: { artifact_id: id } }, options),
  /** Move several artifacts into a folder. */
  moveAll: (body: Body<'moveArtifacts'>, options?: Options) => call(op.moveArtifacts, { body }, options),
  /** Replace the content of a file. */
  replaceContent: (id: string, file: Pick<NewFile, 'file' | 'name' | 'content_type'>, options?: Options) =>
    call(op.replaceArtifactContent, { path: { artifact_id: id }, ...inputOf(file) } as never, options),
  /** List what a file had before its content was replaced, the newest first. */
  listEarlierContents: (id: string, options?: Options) =>
    call(op.listEarlierContents, { path: { artifact_id: id } }, options),
  /** List the versions of a document with who wrote each and how, newest first. */
  getHistory: (id: string, options?: Options) => call(op.getArtifactHistory, { path: { artifact_id: id } }, options),
  /** Read the text that a document had in a version. */
  getVersion: (id: string, versionId: string, options?: Options) =>
    call(op.getArtifactVersion, { path: { artifact_id: id, version_id: versionId } }, options),
  /** Write the text of an earlier version as a new one. */
  restoreVersion: (id: string, versionId: string, options?: Options) =>
    call(op.restoreArtifactVersion, { path: { artifact_id: id, version_id: versionId } }, options),
  /** Give a file an earlier content again. */
  restoreEarlierContent: (id: string, earlierId: string, options?: Options) =>
    call(op.restoreEarlierContent, { path: { artifact_id: id, earlier_id: earlierId } }, options),
  /** Move several artifacts to the trash. */
  trashAll: (body: Body<'trashArtifacts'>, options?: Options) => call(op.trashArtifacts, { body }, options),
  /** Restore several artifacts from the trash. */
  restoreAll: (body: Body<'restoreArtifacts'>, options?: Options) => call(op.restoreArtifacts, { body }, options),
  /** List what is in the trash, the newest first. */
  listTrash: (query: Query<'listTrashedArtifacts'> = {}, options?: Options) =>
    call(op.listTrashedArtifacts, { query }, options),
  /** Delete something in the trash for good. */
  deleteForever: (id: string, options?: Options) =>
    call(op.deleteTrashedArtifact, { path: { artifact_id: id } }, options),
})

function inputOf(artifact: NewArtifact) {
  if (!('file' in artifact)) return { body: artifact }
  const { file, name, parent_id, content_type } = artifact
  const own = file instanceof Blob && 'name' in file ? String(file.name) : 'file'
  return { form: { fields: { parent_id: parent_id ?? undefined }, file, name: name ?? own, type: content_type } }
}
