import { isLongerThan } from '../../engines/text/characters.ts'
import { conflict, invalid, quoted } from '../../kernel/errors.ts'
import { isCleanText } from '../../kernel/http/validation.ts'
import type { Link } from '../links/index.ts'

export const TYPES = ['document', 'file', 'folder'] as const
export type Type = (typeof TYPES)[number]

/** The segment of an artifact's storage key after the installation's id. */
export const STORE_PLACE = 'artifacts'
export const MARKDOWN_TYPE = 'text/markdown'
export const NAME_LENGTH = 500
export const PATH_LENGTH = 4_000

/** Bytes that are already in the store. */
export interface StoredContent {
  key: string
  contentType: string
  size: number
  sha256: string
}

export interface ArtifactSummary {
  id: string
  name: string
  type: Type
  contentType: string | null
  sizeBytes: number | null
  contentKey: string | null
  folderPath: string
  createdAt: string
  updatedAt: string
  createdBy: string
}

export interface Artifact extends ArtifactSummary {
  parentId: string | null
  sha256: string | null
  markdownContent: string | null
  context: Link[]
}

/** The root has no id. */
export interface Folder {
  id: string | null
  path: string
}

/** Names in a folder are equal if they differ only in case or in the encoding of accents. */
export const nameKey = (name: string) => name.normalize('NFC').toLowerCase()

/** The path of `name` in the folder at `folderPath`. */
export const pathOf = (folderPath: string, name: string) => (folderPath === '' ? name : `${folderPath}/${name}`)

/** The names on a path, starting at the root. The root has none. */
export function segmentsOf(path: string): string[] {
  const names = path.replace(/^\/+|\/+$/g, '')
  return names === '' ? [] : names.split('/')
}

export function refuseBadPath(path: string): void {
  for (const name of segmentsOf(path)) refuseBadName(name, '/folder_path')
}

export function refuseBadName(name: string, pointer: string): void {
  const fault = nameFault(name)
  if (fault) throw invalid([{ pointer, detail: fault }])
}

function nameFault(name: string): string | undefined {
  if (name.trim() === '') return 'A name must not be blank.'
  if (!isCleanText(name)) return 'A name must not contain a control character or a broken surrogate. Choose another.'
  if (name === '.' || name === '..') return `"${name}" cannot be a name. Choose another.`
  if (name.includes('/')) return `A name has no slash, ${quoted(name)} has one. Put it into a folder with "parent_id".`
  if (isLongerThan(name, NAME_LENGTH)) return `A name has at most ${NAME_LENGTH} characters.`
  return undefined
}

/** `taken` has the name: `artifact_id` and `artifact_type` of the problem say what it is. */
export const nameTaken = (name: string, folderPath: string, taken?: { id: string; type: Type }) =>
  conflict(
    'name_taken',
    `There is something called "${name}" in ${folderPath === '' ? 'the root' : `"${folderPath}"`} already; upper and lower case are the same. Choose another name, or change what is there.`,
    taken && { artifact_id: taken.id, artifact_type: taken.type },
  )

export const notAFolder = (path: string) =>
  conflict('not_a_folder', `"${path}" is not a folder, so nothing can lie in it. Choose another path.`)

export const movedSince = ({ name, folderPath }: Pick<Artifact, 'name' | 'folderPath'>) =>
  conflict(
    'moved_since',
    `Somebody has moved "${name}" to ${folderPath === '' ? 'the root' : `"${folderPath}"`} since. Move it from there.`,
  )

export const intoItself = (name: string) =>
  conflict('cycle', `"${name}" cannot be moved into itself or into a folder that lies in it.`)

export const noContent = (name: string) =>
  conflict('no_content', `"${name}" is a folder and has no content. List it with "folder_path" to see what is in it.`)

export const rootFolder = () =>
  conflict('root_folder', 'The root cannot be deleted. Name a folder, or delete what is in the root one by one.')

export const onlyDocuments = (type: Type) =>
  invalid([{ pointer: '/markdown_content', detail: `Only a document has markdown, this is a ${type}.` }])

export const onlyFiles = (name: string, type: Type) =>
  conflict('not_a_file', `"${name}" is a ${type}, and only the content of a file can be replaced. Choose a file.`)

export const wrongParent = (id: string, what: string) =>
  invalid([{ pointer: '/parent_id', detail: `"${id}" is a ${what}, not a folder.` }])

export const pathTooLong = () =>
  invalid([{ pointer: '/parent_id', detail: `The path to it would have more than ${PATH_LENGTH} characters.` }])

export const presentSummary = (artifact: ArtifactSummary, bucket: string) => ({
  object: 'artifact' as const,
  id: artifact.id,
  name: artifact.name,
  type: artifact.type,
  content_type: artifact.contentType,
  size_bytes: artifact.sizeBytes,
  s3_uri: artifact.contentKey === null ? null : `s3://${bucket}/${artifact.contentKey}`,
  folder_path: artifact.folderPath,
  created_at: artifact.createdAt,
  updated_at: artifact.updatedAt,
  created_by: artifact.createdBy,
})

export const presentArtifact = (artifact: Artifact, bucket: string) => ({
  ...presentSummary(artifact, bucket),
  markdown_content: artifact.markdownContent,
  connectedContext: artifact.context,
})
