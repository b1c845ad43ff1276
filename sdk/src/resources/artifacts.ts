import type { Body, Call, Options, Query, Schemas } from '../operation.ts'

export type Artifact = Schemas['Artifact']
export type ArtifactSummary = Schemas['ArtifactSummary']

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
  list: (query: Query<'listArtifacts'> = {}, options?: Options) => call('listArtifacts', { query }, options),
  /** Read an artifact. */
  get: (id: string, options?: Options) => call('getArtifact', { path: { artifact_id: id } }, options),
  /** Upload a file, or create a document or a folder. */
  create: (artifact: NewArtifact, options?: Options) => call('createArtifact', inputOf(artifact), options),
  /** Rename or move it, or rewrite a document. */
  update: (id: string, body: Body<'updateArtifact'>, options?: Options) =>
    call('updateArtifact', { path: { artifact_id: id }, body }, options),
  /** Delete it; a folder with everything in it. */
  delete: (id: string, options?: Options) => call('deleteArtifact', { path: { artifact_id: id } }, options),
  /** Delete a folder by its path. */
  deleteFolder: (body: Body<'deleteArtifactFolder'>, options?: Options) =>
    call('deleteArtifactFolder', { body }, options),
  /** Download the content. */
  download: (id: string, options?: Options) =>
    call.download('getArtifactContent', { path: { artifact_id: id } }, options),
  /** The address of the content. With a session, a browser can open it by itself, as the source of a picture. */
  contentUrl: (id: string) => call.urlOf('getArtifactContent', { path: { artifact_id: id } }),
})

function inputOf(artifact: NewArtifact) {
  if (!('file' in artifact)) return { body: artifact }
  const { file, name, parent_id, content_type } = artifact
  const own = file instanceof Blob && 'name' in file ? String(file.name) : 'file'
  return { form: { fields: { parent_id: parent_id ?? undefined }, file, name: name ?? own, type: content_type } }
}
