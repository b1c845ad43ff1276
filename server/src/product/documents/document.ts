import type { Origin } from '../../kernel/context.ts'
import { AppError, conflict, invalid } from '../../kernel/errors.ts'
import { etagOf } from '../../kernel/http/answers/etag.ts'
import { presentVia, type Via } from '../../kernel/http/created-via.ts'
import type { Link, ResourceType } from '../links/index.ts'

export interface ChildReference {
  id: string
  document_id: string
  title: string
}

export interface DocumentSummary {
  id: string
  kind: ResourceType
  /** The tree that contains it: a document type of the requirements, a category of the blueprints. */
  treeId: string
  treeName: string
  parentId: string | null
  pairedWith: string | null
  title: string
  children: ChildReference[]
  updatedAt: string
}

/** A document without its text, which may be long. */
export interface DocumentOutline extends DocumentSummary {
  versionId: string
  versionNumber: number
  context: Link[]
}

export interface Document extends DocumentOutline {
  markdownContent: string
}

/** A document whose row is locked by the current transaction. */
export interface LockedDocument extends Document {
  /** The time to store when this transaction writes the document. Always later than `updatedAt`. */
  nextUpdatedAt: string
}

export interface VersionAuthor {
  originType: Origin
  userId: string | null
  userEmail: string | null
  userName: string | null
  via: Via | null
}

/** A version with its first author. */
export interface Version extends VersionAuthor {
  id: string
  versionNumber: number
  versionName: string | null
  createdAt: string
  originName: string
  /** Who else typed into it, or made a suggestion that it accepts. */
  otherAuthors: VersionAuthor[]
}

export interface Change {
  id: string
  kind: 'insertion' | 'deletion'
  text: string
  createdAt: string
  createdByName: string
  userId: string | null
  /** Null for a change that is older than the record of origins. */
  origin: Origin | null
  via: Via | null
}

/** The passage that a thread is about. */
export interface Anchor {
  quote: string
  /** What stands before and after it. Tells equal passages apart. */
  prefix: string
  suffix: string
  /** Where editors find the passage after its words have changed. Means nothing to the server. */
  position: string | null
}

export interface Thread {
  id: string
  messages: {
    id: string
    message: string
    createdAt: string
    createdByName: string
    userId: string | null
    origin: Origin | null
    via: Via | null
    isEdited: boolean
  }[]
  isResolved: boolean
  isFlagged: boolean
  /** Null for a thread about the whole document. */
  anchor: Anchor | null
}

export const SUGGESTION_VIEWS = ['inline', 'accepted', 'rejected'] as const
export type SuggestionView = (typeof SUGGESTION_VIEWS)[number]

export const ORIGIN_NAMES: Record<Origin, string> = {
  user: 'Web workspace',
  external_api: 'External API',
  mcp: 'MCP',
  agent: 'Agent',
  automation: 'Automation',
  system: 'Slipway',
}

export const wordFor = (kind: ResourceType) => kind.replaceAll('_', ' ')

export const presentVersion = (version: Version) => {
  const via = presentVia(version.via)
  const attribution = presentAuthor(version, version.originName)
  return {
    object: 'version' as const,
    version_id: version.id,
    version_number: version.versionNumber,
    created_at: version.createdAt,
    version_name: version.versionName ?? `Version ${version.versionNumber}`,
    attribution,
    authors: [
      { ...attribution, ...via },
      ...version.otherAuthors.map((author) => ({ ...presentAuthor(author), ...presentVia(author.via) })),
    ],
    ...via,
  }
}

function presentAuthor(author: VersionAuthor, originName = ORIGIN_NAMES[author.originType]) {
  const [firstName, ...lastNames] = author.userName?.split(' ') ?? []
  return {
    origin_type: author.originType,
    user_id: author.userId,
    user_email: author.userEmail,
    user_first_name: firstName || null,
    user_last_name: lastNames.join(' ') || null,
    origin_name: originName,
  }
}

export const presentChange = (change: Change) => ({
  object: 'suggestion' as const,
  id: change.id,
  kind: change.kind,
  text: change.text,
  created_at: change.createdAt,
  created_by_name: change.createdByName,
  ...presentVia(change.via),
})

export const presentThread = (thread: Thread) => ({
  object: 'document_comment_thread' as const,
  id: thread.id,
  thread_id: thread.id,
  messages: thread.messages.map((one) => ({
    id: one.id,
    message: one.message,
    created_at: one.createdAt,
    created_by_name: one.createdByName,
    ...presentVia(one.via),
  })),
  is_resolved: thread.isResolved,
  is_flagged: thread.isFlagged,
})

/**
 * Leaves out the content, which never changes without `updatedAt`: the tag of a large document costs no more than that
 * of a small one.
 */
export const documentEtag = (document: Document) =>
  etagOf([
    document.id,
    document.treeId,
    document.treeName,
    document.parentId,
    document.pairedWith,
    document.title,
    document.children,
    document.updatedAt,
    document.versionId,
    document.context,
  ])

export const invalidMarkdown = (line: number, reason: string) =>
  new AppError(400, 'invalid_markdown', `The markdown is not valid: line ${line}: ${reason}`, {
    extra: { line, reason },
  })

export const closesCircle = (title: string) =>
  conflict('cycle', `"${title}" cannot be moved below itself or one of its own descendants. Choose another parent.`)

export const wrongTree = (pointer: string, detail: string) => invalid([{ pointer, detail }])
