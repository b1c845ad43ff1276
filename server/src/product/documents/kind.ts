import type { TObject, TSchema } from 'typebox'
import type { Ctx } from '../../kernel/context.ts'
import type { ResourceType } from '../links/index.ts'
import type { DocumentSummary } from './document.ts'

/** Describes a kind of document. Everything else is the same for all kinds. */
export interface DocumentKind {
  kind: ResourceType
  /** For example `/requirements`. */
  path: string
  idParam: string
  /** Used in operation ids, for example `RequirementsDocument`. */
  noun: string
  words: string
  tag: string
  Detail: TObject
  SearchHit: TSchema
  presentSummary(document: DocumentSummary): Record<string, unknown>
  presentHit(document: { id: string; title: string; treeName: string }): Record<string, unknown>
  deleteDocument(ctx: Ctx, id: string): Promise<void>
}
