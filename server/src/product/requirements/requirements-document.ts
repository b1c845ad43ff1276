import { Type } from 'typebox'
import { Kind, Nullable, named, OneOf, Uuid } from '../../kernel/http/schema.ts'
import { type DocumentSummary, detailFields, searchHit, summaryFields } from '../documents/index.ts'

export const KIND = 'requirements_document' as const
export const DOCUMENT_TYPES = ['FEATURE', 'OVERVIEW'] as const

/** The documents that every project starts with. */
export const OVERVIEW_TITLES = [
  'Business Problem',
  'Current State',
  'Product Description',
  'Personas',
  'Success Metrics',
  'Technical Requirements',
]

const isFeature = (document: DocumentSummary) => document.treeName === 'FEATURE'

const typed = { object: Kind(KIND), document_type: OneOf(DOCUMENT_TYPES) }
const fields = { ...typed, ...summaryFields, overview_tree_node_id: Nullable(Uuid) }

export const RequirementsSummary = named('RequirementsSummary', Type.Object(fields))
export const RequirementsDocument = named('RequirementsDocument', Type.Object({ ...fields, ...detailFields }))

export const RequirementsSearchHit = named(
  'RequirementsSearchHit',
  searchHit({ ...typed, id: Uuid, document_id: Uuid, title: summaryFields.title }),
)

export const presentRequirements = (document: DocumentSummary) => ({
  object: KIND,
  id: document.id,
  document_id: document.id,
  title: document.title,
  document_type: document.treeName as (typeof DOCUMENT_TYPES)[number],
  parent_id: document.parentId,
  children: document.children,
  feature_id: isFeature(document) ? document.id : null,
  overview_tree_node_id: isFeature(document) ? null : document.id,
  updated_at: document.updatedAt,
})
